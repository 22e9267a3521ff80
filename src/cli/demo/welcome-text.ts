import type { DemoKey } from './demo-key.js'
import type { DemoReady } from './demo-ready.js'

const QUESTIONS = [
  'What are customers calling about, and who answers most of the calls?',
  'Show me the five worst-scored calls of the last two weeks. What do they have in common?',
  'Take the worst of them: where did it go wrong, in the words of the transcript?',
]

const ABOUT_KEY = {
  kept: 'the one of the last start',
  new: 'new; --new-key makes another',
  replaced: 'new: the one of the last start is revoked or unknown',
} as const

/** What the demo prints when it is ready: where it is, the key, and settings to paste into clients. */
export function welcomeText(ready: DemoReady, calls: number, key: DemoKey['is']): string {
  const url = ready.mcp_endpoint
  const bearer = `Bearer ${ready.application_key}`
  return `
Earshot is listening, over ${calls.toLocaleString('en')} sample calls in project "${ready.project_id}". Ctrl-C ends it; the next start keeps the key.

${consoleLine(ready)}  Tool server      ${url}   (or ${ready.mcp_url}/sse)
  API              ${ready.api_url}
  Application key  ${ready.application_key}   (${ABOUT_KEY[key]})
  Admin token      ${ready.admin_token}   (for an hour; each start makes one)

Clients that sign in take the address alone, and ask for the application key in the browser:
  claude mcp add --transport http earshot ${url}
  codex mcp add earshot --url ${url}

Claude Desktop (claude_desktop_config.json):
  ${JSON.stringify(remoteServer(url, bearer))}

Cursor (.cursor/mcp.json):
  ${JSON.stringify({ mcpServers: { earshot: { url, headers: { Authorization: bearer } } } })}

mcp-remote:
  npx -y mcp-remote ${[url, ...allowHttp(url)].join(' ')} --header 'Authorization:${bearer}'

curl:
  curl -s ${url} \\
    -H 'Authorization: ${bearer}' \\
    -H 'Content-Type: application/json' \\
    -H 'Accept: application/json, text/event-stream' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_calls","arguments":{"text":"refund","limit":1}}}'

Questions to start with:
${QUESTIONS.map(question => `  - ${question}`).join('\n')}

`
}

/** First: who has never seen Earshot opens this. */
function consoleLine({ console_url: url }: DemoReady): string {
  return url === undefined
    ? ''
    : `  Console          ${url}   (opens once, within an hour; then the key below signs in)\n`
}

const allowHttp = (url: string) => (url.startsWith('https:') ? [] : ['--allow-http'])

/** mcp-remote wants no blank in its arguments, so the value goes through the environment. */
function remoteServer(url: string, bearer: string): object {
  const args = ['-y', 'mcp-remote', url, ...allowHttp(url), '--header', 'Authorization:${AUTH}']
  return { mcpServers: { earshot: { command: 'npx', args, env: { AUTH: bearer } } } }
}
