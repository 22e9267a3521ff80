// Makes what is given to others of a version, below --out, and checks it: the package (npm pack), the list of all packages in it
// (CycloneDX), the container image where one can be built, SHA256SUMS and its signature. docs/release.md is its manual.
//
//   npm run release -- --out release --key ~/.ssh/earshot-release [--node-digest sha256:…]
//   npm run release -- --check release --signers allowed-signers
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** What the image stands on; the digest comes with each release. */
const NODE_IMAGE = 'node:24-bookworm-slim'
/** Who signs, and for what: part of what is signed, so that no signature of something else passes for one of a release. */
const SIGNER = 'earshot-release'
const SUMS = 'SHA256SUMS'
/** How CycloneDX marks a package that is part of another's files. */
const BUNDLED = { name: 'cdx:npm:package:bundled', value: 'true' }

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version } = read('package.json')

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      key: { type: 'string' },
      unsigned: { type: 'boolean', default: false },
      'node-digest': { type: 'string' },
      'without-image': { type: 'boolean', default: false },
      // For a trial, and for tests: with changes that are not committed, and of dist/ as it is.
      dirty: { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      check: { type: 'string' },
      signers: { type: 'string' },
    },
  })
  if (values.check === undefined) await release(values)
  else await check(values.check, values.signers)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function release({ out, key, unsigned, 'node-digest': digest, 'without-image': withoutImage, dirty, built }) {
  if (out === undefined) throw new Error('Say where to: --out DIRECTORY')
  if ((key === undefined) !== unsigned) {
    throw new Error('A release is signed: --key FILE, an SSH key (ssh-keygen -t ed25519 -f FILE); or say --unsigned')
  }
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`--node-digest must be sha256: and 64 hex digits, not ${digest}`)
  }
  if (!dirty && git('status', '--porcelain') !== '') {
    throw new Error('There are changes that are not committed: a release is of a commit (--dirty for a trial)')
  }
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty`)
  mkdirSync(out, { recursive: true })

  if (!built) run('npm', ['run', '--silent', 'build'])
  const tarball = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', out]))[0].filename
  const sbom = `${name}-${version}.cdx.json`
  writeFileSync(join(out, sbom), `${JSON.stringify(listOfPackages(), undefined, 2)}\n`)
  const made = [tarball, sbom]
  const leftOut = []

  const whyNoImage = withoutImage ? '--without-image' : image(out, digest, made)
  if (whyNoImage !== undefined) leftOut.push(`the image: ${whyNoImage}`)

  const sums = await Promise.all(made.map(async file => `${await sha256(join(out, file))}  ${file}\n`))
  writeFileSync(join(out, SUMS), sums.join(''))
  if (unsigned) leftOut.push('the signature: --unsigned')
  else {
    run('ssh-keygen', ['-q', '-Y', 'sign', '-n', SIGNER, '-f', key, join(out, SUMS)])
    writeFileSync(join(out, 'allowed-signers'), `${SIGNER} namespaces="${SIGNER}" ${publicKey(key)}\n`)
  }
  await check(out, unsigned ? undefined : join(out, 'allowed-signers'))

  const of = git('rev-parse', 'HEAD') + (dirty ? ', with what was not committed' : '')
  process.stdout.write(`\n${name} ${version} of ${of} is in ${out}:\n${made.map(file => `  ${file}\n`).join('')}`)
  for (const part of leftOut) process.stdout.write(`Left out: ${part}\n`)
}

/**
 * What npm says of the lockfile, without what only builds and tests. In it are the packages that are bundled, as dist/ says, and
 * those that are installed with it, which are not `dev` in the lockfile (npm's own --omit=dev leaves out what both need).
 */
function listOfPackages() {
  const all = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']))
  const bundled = new Set(
    ['program', 'library', 'web', 'views'].flatMap(folder =>
      read(`dist/${folder}/packages.json`).map(one => `${one.name}@${one.version}`),
    ),
  )
  const installed = new Set(
    Object.entries(read('package-lock.json').packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, one]) => `${one.name ?? path.split('node_modules/').at(-1)}@${one.version}`),
  )
  const components = all.components
    .filter(one => bundled.has(one['bom-ref']) || installed.has(one['bom-ref']))
    // Npm's mark on them, that they are for development, is what the lockfile calls them.
    .map(one => (bundled.has(one['bom-ref']) ? { ...one, properties: [BUNDLED] } : one))
  const missing = [...bundled, ...installed].filter(ref => !components.some(one => one['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`npm's list of packages lacks ${missing.join(', ')}. Run npm ci.`)
  const self = { ...all.metadata.component, type: 'application', name }
  const ofSelf = new Set([self['bom-ref'], ...components.map(one => one['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => ofSelf.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(other => ofSelf.has(other)) }))
  return { ...all, metadata: { ...all.metadata, component: self }, components, dependencies }
}

/** Builds the image and saves it beside the rest. Gives back why it does not. */
function image(out, digest, made) {
  const builder = ['docker', 'podman', 'buildah'].find(one => tried(one, ['info']) !== undefined)
  if (builder === undefined) return 'neither docker (with its daemon), podman nor buildah is here'
  const pinned = digest ?? digestOf(builder)
  if (pinned === undefined) return `no registry says the digest of ${NODE_IMAGE}; give it: --node-digest sha256:…`
  const tag = `${name}:${version}`
  const base = `${NODE_IMAGE}@${pinned}`
  const label = `org.opencontainers.image.base.name=${base}`
  // Theirs is the OCI form unless told, which has no HEALTHCHECK: it would be dropped with a warning.
  const form = builder === 'docker' ? [] : ['--format', 'docker']
  run(builder, ['build', ...form, '--build-arg', `NODE_IMAGE=${base}`, '--label', label, '-t', tag, root])
  const file = `${name}-${version}-image.tar`
  const path = join(out, file)
  run(builder, builder === 'buildah' ? ['push', tag, `docker-archive:${path}`] : ['save', '-o', path, tag])
  made.push(file)
  return undefined
}

/** The digest the registry has now for what the image stands on; undefined where none answers. */
function digestOf(builder) {
  if (builder !== 'docker') return undefined
  return tried('docker', ['buildx', 'imagetools', 'inspect', NODE_IMAGE, '--format', '{{.Manifest.Digest}}'])?.trim()
}

/** Whether the files are those that were signed. @throws Error naming what is not */
async function check(directory, signers) {
  const text = readFileSync(join(directory, SUMS), 'utf8')
  if (signers !== undefined) {
    const signed = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', SIGNER, '-s', join(directory, `${SUMS}.sig`)]
    try {
      execFileSync('ssh-keygen', signed, { input: text, stdio: ['pipe', 'pipe', 'pipe'] })
    } catch {
      throw new Error(`${SUMS} is not signed by whom ${signers} names`)
    }
  }
  for (const line of text.trimEnd().split('\n')) {
    const [, hash, file] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? []
    if (file === undefined) throw new Error(`${SUMS} holds a line that names no file: ${JSON.stringify(line)}`)
    if (!existsSync(join(directory, file))) throw new Error(`${file} is not there`)
    if ((await sha256(join(directory, file))) !== hash) throw new Error(`${file} is not the file that ${SUMS} names`)
    process.stdout.write(`${file}: as released\n`)
  }
  process.stdout.write(
    signers === undefined ? 'The signature was not checked (--signers FILE)\n' : 'The signature holds\n',
  )
}

async function sha256(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The public half of an SSH key; of one that a passphrase guards, its .pub file. */
function publicKey(key) {
  return existsSync(`${key}.pub`)
    ? readFileSync(`${key}.pub`, 'utf8').trim()
    : run('ssh-keygen', ['-y', '-f', key]).trim()
}

function read(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function git(...args) {
  return run('git', args).trim()
}

function run(command, args) {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
}

/** The output of a command that may not be there or may fail. */
function tried(command, args) {
  try {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
