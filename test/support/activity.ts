import { type FileHandle, open, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { NewActivityEvent } from '../../src/activity/activity-event.js'
import type { ActivityRecord } from '../../src/store/activity-record.js'
import type { AuditTrailOptions } from '../../src/activity/audit-trail-options.js'
import type { FileAuditTrail } from '../../src/activity/file-audit-trail.js'
import { openAuditTrail } from '../../src/activity/open-audit-trail.js'

/** An event as a key's tool call makes one; `n` tells events apart. */
export function anEvent(n: number, more: Partial<NewActivityEvent> = {}): NewActivityEvent {
  return {
    at: '2026-03-15T12:00:00.000Z',
    request_id: `request-${n}`,
    source: 'application_key',
    credential_id: 'key_a',
    name: 'Claude of Ann',
    project_id: 'p',
    roles: ['Admin'],
    transport: 'mcp',
    page: 'search_calls',
    outcome: 'ok',
    duration_ms: 1.5,
    ...more,
  }
}

export type Act = Partial<Omit<ActivityRecord, 'roles' | 'session_hashes'>> & { readonly roles?: readonly string[] }

/** Events numbered from 1, one an hour from midnight of 2026-03-01, as the table takes them. */
export function hourly(acts: readonly Act[]): readonly ActivityRecord[] {
  return acts.map((act, index) => {
    const at = new Date(Date.UTC(2026, 2, 1, index)).toISOString()
    const { roles = [], ...fields } = act
    return { ...anEvent(index + 1, { at }), seq: index + 1, ...fields, roles: [...roles] }
  })
}

/** A log that keeps what was said. */
export function keptLog() {
  const said: string[] = []
  const keep = (_: object, message: string) => void said.push(message)
  return { said, info: keep, warn: keep, error: keep }
}

/** A trail that tries again at once after a failure; closed when the test is over. */
export async function aTrail(dataDir: string, options: Partial<AuditTrailOptions> = {}): Promise<FileAuditTrail> {
  const trail = await openAuditTrail({
    dataDir,
    sessionSecret: 'of the tests',
    chainSecret: 'of the tests',
    retryMs: 5,
    ...options,
  })
  onTestFinished(() => trail.close())
  return trail
}

/** Names of the segments in a data directory, oldest first. */
export async function segmentsIn(dataDir: string): Promise<readonly string[]> {
  return (await readdir(join(dataDir, 'activity'))).filter(name => name.endsWith('.jsonl')).sort()
}

interface Line {
  readonly seq: number
  readonly request_id: string
  readonly at: string
  readonly name: string
}

/** Every line of the trail as any JSON reader sees it; throws where one is torn. */
export async function linesIn(dataDir: string): Promise<readonly Line[]> {
  const names = await segmentsIn(dataDir)
  const texts = await Promise.all(names.map(name => readFile(join(dataDir, 'activity', name), 'utf8')))
  return texts.flatMap(text => {
    if (text !== '' && !text.endsWith('\n')) throw new Error(`torn: ${text.slice(-100)}`)
    return text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Line)
  })
}

/** What all open files share: the place to make the disk fail. */
export async function fileHandles(): Promise<Pick<FileHandle, 'write' | 'datasync'>> {
  const handle = await open('/dev/null')
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}

/** An error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: from the test`), { code })
}
