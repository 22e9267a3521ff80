import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
  cpSync,
  mkdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChainKey } from '../../src/activity/chain-key.js'
import { type Outcome, runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const dataDir = join(scratch, 'data')
const backup = join(scratch, 'backups', 'monday')
const restored = join(scratch, 'restored')
const CALLS = 30

async function done(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await runEarshot(args, input === undefined ? {} : { input })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

const place = ['--data-dir', dataDir]
const restore = (from: string, to: string): Promise<Outcome> =>
  runEarshot(['restore', from, '--data-dir', to, '--json'])

let exported: string
let key: string
let report: { readonly calls: number; readonly files: number; readonly pause_ms: number }

beforeAll(async () => {
  const server = await startServer(dataDir)
  await done(['project', 'create', 'shop', ...place])
  const calls = await done(['generate', '--calls', String(CALLS), '--seed', '3'])
  await done(['import', '-', '--project', 'shop', ...place], calls)
  const minted = await done(['keys', 'mint', '--project', 'shop', '--name', 'k', '--json', ...place])
  key = JSON.parse(minted).key
  exported = await done(['export', '--project', 'shop', ...place])
  report = JSON.parse(await done(['backup', backup, '--json', ...place]))
  // Writing goes on.
  await done(['project', 'create', 'later', ...place])
  await server.end()
})

test('a backup of a running server holds everything, in files of their owner only, and says so', () => {
  expect(report).toMatchObject({ directory: backup, calls: CALLS, pause_ms: expect.any(Number) })
  const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'))
  expect(manifest.counts).toMatchObject({ calls: CALLS, projects: 1, application_keys: 1 })
  const paths = manifest.files.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['earshot.duckdb', 'earshot.acknowledged', 'session-hash.key']))
  expect(paths).toContainEqual(expect.stringMatching(/^activity\/\d{16}\.jsonl$/))
  for (const path of paths) expect(statSync(join(backup, 'data', path)).mode & 0o777).toBe(0o600)
  expect(statSync(backup).mode & 0o777).toBe(0o700)
})

test('what is restored says what comes back with it, serves the same calls to the same keys, and lacks what came later', async () => {
  const { signed_by: signer } = manifestOf(backup)
  const said = await done(['restore', backup, '--signed-by', signer, '--data-dir', restored])
  expect(said).toContain(`signed by ${signer}`)
  // What comes back with it is told: erased calls, and keys that were revoked since.
  expect(said).toContain('Calls that were erased after that backup are back')
  expect(said).toContain('revoke and narrow again what was since')
  expect(statSync(restored).mode & 0o777).toBe(0o700)
  const server = await startServer(restored)
  try {
    expect(server.log()).not.toMatch(/record of acknowledged writes|lost/)
    expect(await done(['export', '--project', 'shop', '--data-dir', restored])).toBe(exported)
    const asked = await fetch(`${server.apiUrl}/api/v1/interactions?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(asked.status).toBe(200)
    const projects = JSON.parse(await done(['project', 'list', '--json', '--data-dir', restored]))
    expect(projects.projects.map(({ project_id: id }: { project_id: string }) => id)).toEqual(['shop'])
  } finally {
    await server.end()
  }
})

test('a directory that holds something takes neither a backup nor a restore', async () => {
  const again = await runEarshot(['backup', backup, ...place])
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('is not empty')
  const inside = await runEarshot(['backup', join(dataDir, 'backup'), ...place])
  expect(inside).toMatchObject({ code: 1 })
  expect(inside.stderr).toContain('data directory')
  expect(existsSync(join(dataDir, 'backup'))).toBe(false)
  const over = await restore(backup, dataDir)
  expect(over).toMatchObject({ code: 1 })
  expect(over.stdout + over.stderr).toContain('is not empty')
})

test('a restore that was killed is said to be one, and the directory is left alone', async () => {
  const half = join(scratch, 'half')
  cpSync(restored, half, { recursive: true })
  // As it is until the last step.
  renameSync(join(half, 'earshot.duckdb'), join(half, 'earshot.duckdb.new-restored'))
  for (const args of [['restore', backup], ['project', 'list'], ['compact'], ['doctor']]) {
    // oxlint-disable-next-line no-await-in-loop -- four
    const { code, stdout, stderr } = await runEarshot([...args, '--data-dir', half])
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/a restore into .* was cut off/i)])
    expect(stdout + stderr).not.toContain('EARSHOT_ACCEPT_LOSS')
  }
  expect(readdirSync(half)).toContain('earshot.duckdb.new-restored')
})

/** A backup with something done to it. */
function altered(name: string, change: (directory: string) => void): string {
  const directory = join(scratch, 'altered', name)
  mkdirSync(join(scratch, 'altered'), { recursive: true })
  cpSync(backup, directory, { recursive: true })
  change(directory)
  return directory
}

const manifestOf = (directory: string) => JSON.parse(readFileSync(join(directory, 'backup.json'), 'utf8'))
const rewrite = (directory: string, manifest: object) =>
  writeFileSync(join(directory, 'backup.json'), JSON.stringify(manifest))
/** As an earlier program made it. */
function unsigned(directory: string) {
  const { signature: _, signed_by: __, ...manifest } = manifestOf(directory)
  return { ...manifest, format_version: 1 }
}

test.each<[string, string, (directory: string) => void]>([
  [
    'a byte of the store is another',
    'is not what was backed up',
    directory => {
      const file = join(directory, 'data', 'earshot.duckdb')
      const bytes = readFileSync(file)
      bytes[Math.floor(bytes.length / 2)]! ^= 1
      writeFileSync(file, bytes)
    },
  ],
  [
    'a file is cut short',
    'has 10 bytes and had',
    directory => writeFileSync(join(directory, 'data', 'session-hash.key'), '0123456789'),
  ],
  ['a file is missing', 'is missing', directory => rmSync(join(directory, 'data', 'earshot.acknowledged'))],
  ['it was not finished', 'holds no whole backup', directory => rmSync(join(directory, 'backup.json'))],
  ['its manifest is torn', 'cannot be read', directory => writeFileSync(join(directory, 'backup.json'), '{"format":')],
  [
    'its manifest leads elsewhere',
    'cannot be read',
    directory => {
      const manifest = manifestOf(directory)
      manifest.files[0].path = '../../etc/passwd'
      writeFileSync(join(directory, 'backup.json'), JSON.stringify(manifest))
    },
  ],
  [
    'it counted other rows',
    'does not hold the rows',
    directory => {
      const manifest = unsigned(directory)
      manifest.counts.calls += 1
      rewrite(directory, manifest)
    },
  ],
  [
    'its store is of a newer program',
    'newer program',
    directory => {
      rewrite(directory, { ...unsigned(directory), store_version: 999 })
    },
  ],
  [
    'it is of a newer program',
    'newer program',
    directory => {
      const manifest = { ...manifestOf(directory), format_version: 3 }
      writeFileSync(join(directory, 'backup.json'), JSON.stringify(manifest))
    },
  ],
  [
    'its manifest says another number of rows',
    'was changed',
    directory => {
      const manifest = manifestOf(directory)
      rewrite(directory, { ...manifest, counts: { ...manifest.counts, calls: CALLS - 1 } })
    },
  ],
  [
    'its manifest names another file',
    'was changed',
    directory => {
      const manifest = manifestOf(directory)
      rewrite(directory, { ...manifest, files: manifest.files.slice(1) })
    },
  ],
  [
    'its signature is gone',
    'was changed',
    directory => {
      const { signature: _, ...manifest } = manifestOf(directory)
      rewrite(directory, manifest)
    },
  ],
  [
    'another key signed it',
    'was not signed by the installation that is in it',
    directory => {
      const { signature: _, ...manifest } = manifestOf(directory)
      const other = new ChainKey('another')
      const said = { ...manifest, signed_by: other.publicKey }
      rewrite(directory, { ...said, signature: other.sign(`earshot-backup\n${JSON.stringify(said)}`) })
    },
  ],
])('nothing is restored when %s', async (name, says, change) => {
  const to = join(scratch, 'refused', name.replaceAll(' ', '-'))
  const outcome = await restore(altered(name.replaceAll(' ', '-'), change), to)
  expect(outcome.code).toBe(1)
  expect(outcome.stdout + outcome.stderr).toContain(says)
  expect(existsSync(to)).toBe(false)
})

test('a signature by a key that is not the one that was noted is refused, and so is none at all', async () => {
  const { signed_by: signer } = manifestOf(backup)
  const to = (name: string) => ['--data-dir', join(scratch, 'noted', name)]
  // As one key in 64 does, it begins like an option.
  let dashed = ''
  for (let i = 0; !dashed.startsWith('-'); i += 1) dashed = new ChainKey(`${i}`).publicKey
  const none = altered('unsigned', directory => rewrite(directory, unsigned(directory)))
  for (const [from, key] of [
    [backup, new ChainKey('another').publicKey],
    [backup, dashed],
    [none, signer],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- a few
    const { code, stderr } = await runEarshot(['restore', from, '--signed-by', key, ...to('other')])
    expect([code, stderr]).toEqual([1, expect.stringContaining('was signed by')])
  }
})

test('a sealed backup, made by a command without a server, holds nothing in the clear, and is opened by its identity alone', async () => {
  const identity = await generateX25519Identity()
  const sealed = join(scratch, 'backups', 'sealed')
  const recipient = await identityToRecipient(identity)
  expect(await done(['backup', sealed, '--recipient', recipient, ...place])).toContain('It is sealed')
  const paths = readdirSync(join(sealed, 'data'), { recursive: true, withFileTypes: true })
  for (const file of paths.filter(one => one.isFile())) {
    expect(file.name).toMatch(/\.age$/)
    const bytes = readFileSync(join(file.parentPath, file.name))
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    for (const word of ['customer', 'transcript', 'esk_', 'request_id']) expect(bytes.includes(word)).toBe(false)
  }
  const identityFile = (name: string, text: string) => {
    writeFileSync(join(scratch, name), text)
    return ['--identity', join(scratch, name)]
  }
  const to = (name: string) => ['--data-dir', join(scratch, 'opened', name)]
  const mine = identityFile('mine.txt', `# created: today\n# public key: ${recipient}\n${identity}\n`)
  const other = identityFile('other.txt', await generateX25519Identity())
  for (const [options, says] of [
    [[], 'is sealed'],
    [other, 'cannot be opened with this identity'],
    [identityFile('empty.txt', '# none\n'), 'holds no identity'],
    [['--identity', join(scratch, 'nowhere.txt')], 'cannot be read'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- four
    const { code, stderr } = await runEarshot(['restore', sealed, ...options, ...to('refused')])
    expect(code).not.toBe(0)
    expect(stderr).toContain(says)
    expect(existsSync(join(scratch, 'opened', 'refused'))).toBe(false)
  }
  await done(['restore', sealed, ...mine, ...to('whole')])
  expect(await done(['export', '--project', 'shop', ...to('whole')])).toBe(exported)
  const file = join(sealed, 'data', 'earshot.duckdb.age')
  const bytes = readFileSync(file)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  writeFileSync(file, bytes)
  const changed = await runEarshot(['restore', sealed, ...mine, ...to('changed')])
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('is not what was sealed')])
  const wrong = await runEarshot(['backup', join(scratch, 'wrong'), '--recipient', 'age1nobody', ...place])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('none of age')])
  expect(existsSync(join(scratch, 'wrong'))).toBe(false)
})
