// The linter's rules for who may import what, from the order of layers in ARCHITECTURE.md: said there once.
import { readFile } from 'node:fs/promises'

const page = new URL('../ARCHITECTURE.md', import.meta.url)
/** Rooms from the lowest to the highest, with commas between those that know nothing of each other. */
const ORDER = /^`(base < .+)`$/m

/** Modules that open listeners and sockets, and which of them a room uses that is no listener itself. */
const LISTENING = ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls']
const USES = {
  // Makes the servers of both listeners, in one way.
  base: ['node:http', 'node:https', 'node:tls'],
  // Streams the audit trail to a collector of syslog.
  activity: ['node:tls'],
  // Sends to webhooks.
  events: ['node:http', 'node:https'],
  mcp: LISTENING,
  rest: LISTENING,
  // The control socket, and the commands' way through it.
  control: LISTENING,
}
/** Who makes a scope. */
const SCOPING = new Set(['access', 'cli', 'main.ts', 'service.ts'])

/** `.oxlintrc.layers.json`: an override for each room. */
export async function layerRules() {
  const order = ORDER.exec(await readFile(page, 'utf8'))?.[1]
  if (order === undefined) throw new Error('ARCHITECTURE.md has no order of layers any more: a line `base < …`')
  const layers = order.split(' < ').map(layer => layer.split(', '))
  const rooms = layers.flat()
  const overrides = layers.flatMap((layer, level) =>
    layer.map(room => {
      const beneath = new Set(layers.slice(0, level).flat())
      const above = rooms.filter(other => other !== room && !beneath.has(other))
      return overrideOf(room, filesOf(room), above, `${room} imports only what stands beneath it (ARCHITECTURE.md).`)
    }),
  )
  const settings = ['src/config.ts', 'src/config/**/*.ts', 'src/log.ts']
  overrides.push(
    overrideOf(
      'config',
      settings,
      rooms.filter(room => room !== 'base'),
      'config.ts and log.ts know nothing of the rooms.',
    ),
  )
  // Another program, which runs in a browser: of the service it knows types, and the service nothing of it.
  overrides.push({
    files: ['console/**/*.ts', 'console/**/*.tsx'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '(^|/)src/', allowTypeImports: true, message: 'Of the service the console imports types only.' },
            { regex: '^node:', message: 'The console runs in a browser.' },
          ],
        },
      ],
    },
  })
  return JSON.stringify({ $schema: './node_modules/oxlint/configuration_schema.json', overrides })
}

/** A room is a folder, or a file at the top with the folder of its parts. */
function filesOf(room) {
  const name = room.replace(/\.ts$/, '')
  return name === room ? [`src/${name}/**/*.ts`] : [`src/${room}`, `src/${name}/**/*.ts`]
}

function overrideOf(room, files, above, message) {
  const used = USES[room] ?? []
  const paths = LISTENING.filter(name => !used.includes(name)).map(name => ({
    name,
    message: 'Listeners and sockets belong to mcp/ and rest/.',
    allowTypeImports: true,
  }))
  const patterns = []
  if (above.length > 0) patterns.push({ regex: importsOf(room, above), message })
  if (!SCOPING.has(room)) {
    patterns.push({
      regex: '(^|/)scope\\.js$',
      importNames: ['scope'],
      message: "Only access/ and the operator's side (cli/, service.ts) make a scope; everyone else is handed one.",
    })
  }
  return { files, rules: { 'no-restricted-imports': ['error', { paths, patterns }] } }
}

/** What imports of these rooms look like. Only the command and the service read the settings. */
function importsOf(room, above) {
  const readsSettings = ['config', 'service.ts', 'cli', 'main.ts'].includes(room)
  const hidden = readsSettings ? above : [...above, 'config.ts']
  const isFile = name => name.endsWith('.ts')
  const nameOf = name => name.replace(/\.ts$/, '')
  const folders = `(${hidden.map(nameOf).join('|')})/`
  const files = hidden.some(isFile) ? [`(${hidden.filter(isFile).map(nameOf).join('|')})\\.js$`] : []
  // From within a room the others are above; `./` is the room's own.
  const way = isFile(room) || room === 'config' ? '\\.\\.?/' : '\\.\\./'
  return `^(${way})+(${[folders, ...files].join('|')})`
}
