import { join } from 'node:path'
import { homeDirectory } from '../../config.js'

/** How a client is to reach the service. */
export interface ClientConnection {
  readonly name: string
  /** The address of /mcp. */
  readonly url: string
  /** The environment variable that holds an application key; without it the client signs in. */
  readonly keyEnv: string | undefined
}

/** A settings file whose form its maker documents. */
export interface ClientFile {
  readonly path: string
  readonly section: string
  readonly entry: object
}

export interface ConnectingClient {
  readonly title: string
  /** Undefined where the form is not documented, or not for this connection: then the steps say all. */
  readonly file: (connection: ClientConnection) => ClientFile | undefined
  /** What is left to do, or all of it without a file. */
  readonly steps: (connection: ClientConnection) => readonly string[]
  readonly undo: (name: string) => readonly string[]
  readonly link?: (connection: ClientConnection) => string
  /** Where its requests come from: this machine, or the cloud of its maker. */
  readonly runs: 'here' | 'cloud'
}

const authorization = (keyEnv: string | undefined, reference: (name: string) => string) =>
  keyEnv === undefined ? {} : { headers: { Authorization: `Bearer ${reference(keyEnv)}` } }

const cursorEntry = ({ url, keyEnv }: ClientConnection) => ({
  url,
  ...authorization(keyEnv, name => `\${env:${name}}`),
})

const keyStep = (keyEnv: string): string => `Start the program where ${keyEnv} holds the application key.`

const claudeCode: ConnectingClient = {
  title: 'Claude Code',
  runs: 'here',
  file: ({ url, keyEnv }) => ({
    path: join(process.cwd(), '.mcp.json'),
    section: 'mcpServers',
    entry: { type: 'http', url, ...authorization(keyEnv, name => `\${${name}}`) },
  }),
  steps: ({ name, url, keyEnv }) => [
    'Start claude in this folder and allow the server of .mcp.json.',
    ...(keyEnv === undefined
      ? [
          `Then /mcp, choose ${name}, and sign in.`,
          `By its own command, in place of the file: claude mcp add --transport http ${name} ${url}`,
        ]
      : [keyStep(keyEnv)]),
  ],
  undo: name => [`If it was added by its own command: claude mcp remove ${name}`],
}

const codex: ConnectingClient = {
  title: 'Codex',
  runs: 'here',
  // Its file is TOML with its owner's comments, which no editor that we have would keep.
  file: () => undefined,
  steps: ({ name, url, keyEnv }) =>
    keyEnv === undefined
      ? [`Run: codex mcp add ${name} --url ${url}`, 'It signs in by the browser.']
      : [
          'Add these lines to ~/.codex/config.toml:',
          `[mcp_servers.${name}]`,
          `url = ${JSON.stringify(url)}`,
          `bearer_token_env_var = ${JSON.stringify(keyEnv)}`,
          keyStep(keyEnv),
        ],
  undo: name => [`Run: codex mcp remove ${name}`],
}

const cursor: ConnectingClient = {
  title: 'Cursor',
  runs: 'here',
  file: connection => ({
    path: join(homeDirectory(), '.cursor', 'mcp.json'),
    section: 'mcpServers',
    entry: cursorEntry(connection),
  }),
  steps: ({ keyEnv }) => [
    'Restart Cursor.',
    keyEnv === undefined ? 'It signs in by the browser at the first use.' : keyStep(keyEnv),
  ],
  undo: () => ['Restart Cursor.'],
  link: connection => {
    const config = Buffer.from(JSON.stringify(cursorEntry(connection))).toString('base64')
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${connection.name}&config=${encodeURIComponent(config)}`
  },
}

const vscode: ConnectingClient = {
  title: 'VS Code',
  runs: 'here',
  // Its pages that we read have the user asked for a key, and none has it from the environment.
  file: ({ url, keyEnv }) =>
    keyEnv === undefined
      ? { path: join(process.cwd(), '.vscode', 'mcp.json'), section: 'servers', entry: { type: 'http', url } }
      : undefined,
  steps: ({ keyEnv }) =>
    keyEnv === undefined
      ? ['Open this folder in VS Code, start the server, and sign in.']
      : [
          'Nothing is written: how VS Code takes a key from the environment could not be verified.',
          'Leave --key-env out to sign in, or have VS Code ask for the key once: docs/clients.md, VS Code.',
        ],
  undo: () => [],
  link: ({ name, url }) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
}

const inSettings = (name: string): readonly string[] => [`Settings, Connectors, ${name}: remove it there.`]

const claude: ConnectingClient = {
  title: 'Claude (claude.ai, Desktop)',
  runs: 'cloud',
  file: () => undefined,
  steps: ({ name, url }) => [
    'Settings, Connectors, Add custom connector.',
    `Name: ${name}`,
    `Address: ${url}`,
    'Add, then Connect, and sign in. In a company an owner adds it first.',
  ],
  undo: inSettings,
}

const chatgpt: ConnectingClient = {
  title: 'ChatGPT',
  runs: 'cloud',
  file: () => undefined,
  steps: ({ name, url }) => [
    'Settings, Connectors: turn on developer mode, then Create.',
    `Name: ${name}`,
    `Address: ${url}`,
    'Authentication: OAuth. Create, and sign in.',
  ],
  undo: inSettings,
}

export const connectingClients = { 'claude-code': claudeCode, codex, cursor, vscode, claude, chatgpt } as const
