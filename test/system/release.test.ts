import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment } from '../support/run-earshot.js'
import { isWhole } from '../support/whole.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url))

/** What a release looks like to who checks it, of a package of one word: packing the real one takes eight seconds of processor. */
async function smallRelease(out: string, key: string): Promise<void> {
  mkdirSync(out)
  writeFileSync(join(out, 'earshot-0.0.0.tgz'), 'word')
  writeFileSync(join(out, 'SHA256SUMS'), `${createHash('sha256').update('word').digest('hex')}  earshot-0.0.0.tgz\n`)
  await run('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'earshot-release', '-f', key, join(out, 'SHA256SUMS')])
  const signer = readFileSync(`${key}.pub`, 'utf8')
  writeFileSync(join(out, 'allowed-signers'), `earshot-release namespaces="earshot-release" ${signer}`)
}

/** What the script says in the end, or why it refuses. */
async function release(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  try {
    const { stdout } = await run(process.execPath, [script, ...args], { env: cleanEnvironment() })
    return { code: 0, said: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, said: stderr }
  }
}

// With what is built, and changes that are not committed: the tests are of such a tree.
const trial = ['--built', '--dirty', '--without-image'] as const

describe('a release', () => {
  const dir = mkdtempSync(join(tmpdir(), 'earshot-release-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const [out, key, other] = ['out', 'key', 'other'].map(name => join(dir, name)) as [string, string, string]
  const signers = join(dir, 'signers')
  let made: string

  beforeAll(async () => {
    for (const one of [key, other]) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', one])
    if (isWhole) {
      const { code, said } = await release('--out', out, '--key', key, ...trial)
      if (code !== 0) throw new Error(said)
      made = said
    } else await smallRelease(out, key)
    await run('cp', [join(out, 'allowed-signers'), signers])
  })

  test.runIf(isWhole)(
    'is the package, the list of what is in it, their hashes and a signature, and says what it leaves out',
    () => {
      expect(
        readdirSync(out)
          .map(name => name.replace(/\d+\.\d+\.\d+/, 'V'))
          .toSorted(),
      ).toEqual(['SHA256SUMS', 'SHA256SUMS.sig', 'allowed-signers', 'earshot-V.cdx.json', 'earshot-V.tgz'])
      expect(made).toContain('The signature holds')
      expect(made).toContain('Left out: the image: --without-image')
    },
  )

  test.runIf(isWhole)(
    'lists the packages that are bundled and those that are installed with it, and no tool that builds it',
    () => {
      const name = readdirSync(out).find(one => one.endsWith('.cdx.json')) ?? ''
      const { bomFormat, components, dependencies } = JSON.parse(readFileSync(join(out, name), 'utf8')) as {
        bomFormat: string
        components: readonly { name: string; properties: readonly { name: string }[] }[]
        dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
      }
      expect(bomFormat).toBe('CycloneDX')
      const marks = new Map(components.map(one => [one.name, one.properties.map(property => property.name)]))
      expect(marks.get('fastify')).toEqual(['cdx:npm:package:bundled'])
      expect(marks.get('cookie')).toEqual(['cdx:npm:package:bundled'])
      expect(marks.get('@duckdb/node-bindings')).toEqual([])
      expect(marks.get('thread-stream')).toEqual([])
      for (const tool of ['vitest', 'rolldown', 'typescript', 'knip']) expect(marks.has(tool)).toBe(false)
      const known = new Set(dependencies.map(({ ref }) => ref))
      expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter(ref => !known.has(ref))).toEqual([])
    },
  )

  test('is told from one that somebody else signed, and from one in which a byte is another', async () => {
    expect(await release('--check', out, '--signers', signers)).toMatchObject({ code: 0 })
    const { stdout } = await run('ssh-keygen', ['-y', '-f', other])
    await run('sh', ['-c', `sed 's|ssh-ed25519 .*|${stdout.trim()}|' ${signers} > ${signers}-other`])
    const foreign = await release('--check', out, '--signers', `${signers}-other`)
    expect(foreign).toEqual({ code: 1, said: expect.stringMatching(/^SHA256SUMS is not signed by whom/) as string })

    const tarball = readdirSync(out).find(one => one.endsWith('.tgz')) ?? ''
    appendFileSync(join(out, tarball), 'x')
    const changed = await release('--check', out, '--signers', signers)
    expect(changed).toEqual({ code: 1, said: `${tarball} is not the file that SHA256SUMS names\n` })
    appendFileSync(join(out, 'SHA256SUMS'), `${'0'.repeat(64)}  more\n`)
    const longer = await release('--check', out, '--signers', signers)
    expect(longer.said).toMatch(/^SHA256SUMS is not signed by whom/)
  })

  test('is not made without a word on who signs it, beside other files, or with a digest that is none', async () => {
    expect(await release('--out', join(dir, 'new'), ...trial)).toEqual({
      code: 1,
      said: expect.stringMatching(/^A release is signed: --key FILE/) as string,
    })
    expect(await release('--out', out, '--key', key, ...trial)).toEqual({ code: 1, said: `${out} is not empty\n` })
    const digest = ['--node-digest', 'sha256:latest']
    expect((await release('--out', join(dir, 'new'), '--key', key, ...digest, ...trial)).said).toMatch(
      /^--node-digest must be sha256: and 64 hex digits/,
    )
    expect(readdirSync(dir)).not.toContain('new')
  })
})
