// A process that appends without end and says on stdout what was acknowledged: the other half of recovery.test.ts.
import { writeSync } from 'node:fs'
import { openAuditTrail } from '../../dist/activity/open-audit-trail.js'

const [dataDir] = process.argv.slice(2)
const trail = await openAuditTrail({
  dataDir,
  sessionSecret: 'of the tests',
  chainSecret: 'of the tests',
  segmentBytes: 20_000,
})

async function append(id) {
  await trail.append({
    at: new Date().toISOString(),
    request_id: id,
    source: 'application_key',
    credential_id: 'key_a',
    name: 'Claude of Ann',
    project_id: 'p',
    roles: [],
    transport: 'mcp',
    page: 'search_calls',
    outcome: 'ok',
    duration_ms: 1,
  })
  writeSync(1, `${id}\n`)
}

async function client(name) {
  for (let n = 0; ; n += 1) await append(`${process.pid}-${name}-${n}`)
}

await Promise.all(Array.from({ length: 8 }, (_, name) => client(name)))
