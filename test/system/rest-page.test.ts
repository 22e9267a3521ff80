import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { missingLandmark, pageCommands } from '../support/page-commands.js'
import { startService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

const run = promisify(execFile)

/** Needs what a test machine may not have. */
const ELSEWHERE = /^npx openapi-typescript/

test.runIf(isWhole)('docs/rest.md, walked from top to bottom by a new user, gives what it shows', async () => {
  const dir = tempDir()
  const service = await startService({ dataDir: join(dir, 'data'), calls: 300 })
  const variables: Record<string, string> = {}
  const outputs: string[] = []
  /** What a reader fills in for `<…>`. */
  const filled = (hint: string): string => {
    const newest = (pattern: RegExp) => outputs.findLast(text => pattern.test(text))?.match(pattern)?.[1] ?? ''
    const of = (name: string) => newest(new RegExp(`"${name}":"([^"]*)"`))
    if (hint.startsWith('the address of the API')) return service.api_url
    if (hint.startsWith('the admin token')) return service.admin_token
    if (hint === 'the key') return of('key')
    if (hint.startsWith('a session_id')) return of('session_id')
    if (hint === 'an agent_id') return of('agent_id')
    if (hint === 'the etag') return newest(/^etag: (.*\S)/m)
    throw new Error(`The page leaves <${hint}> to its reader`)
  }
  const wrong: object[] = []
  const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8')
  const commands = pageCommands(page).filter(({ command }) => !ELSEWHERE.test(command))
  expect(commands.length).toBeGreaterThan(15)
  for (const { command, shown } of commands) {
    const [, name, hint] = /^(\w+)='?<(.*)>'?$/.exec(command) ?? []
    if (name !== undefined && hint !== undefined) {
      variables[name] = filled(hint)
      continue
    }
    const { stdout } = await run('bash', ['-c', command], {
      cwd: dir,
      env: { ...process.env, ...variables },
      maxBuffer: 64 * 1024 * 1024,
    })
    outputs.push(stdout)
    const missing = missingLandmark(shown, stdout)
    if (missing !== undefined) wrong.push({ command, missing, stdout: stdout.slice(0, 2_000) })
  }
  await service.end()
  expect(wrong).toEqual([])
})
