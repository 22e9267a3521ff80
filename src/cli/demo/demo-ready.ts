/** What a client needs to reach the demo; the one line of `earshot demo --json`. */
export interface DemoReady {
  readonly api_url: string
  /** Base of the tool server; clients append /mcp or /sse. */
  readonly mcp_url: string
  /** What clients take as the address of the tool server: they sign in there, or send the key. */
  readonly mcp_endpoint: string
  readonly project_id: string
  /** Signs in to the console, once; absent where the console is off. */
  readonly console_url?: string
  readonly application_key: string
  readonly admin_token: string
}
