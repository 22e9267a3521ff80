import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

// An AI client's side of a page of ours, for tests: the protocol's own bridge, in a browser. Tools are asked by the test, over the
// wire (`askTool`).

/** What a client lets a page do that names no address (SEP-1865, "Host Behavior"). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

/** Shows a page with what its tool answered; `asks` is whether the client asks tools for it. */
globalThis.showView = async ({ html, result, theme, asks }) => {
  const frame = document.createElement('iframe')
  frame.title = 'Earshot'
  frame.sandbox.add('allow-scripts')
  frame.style.cssText = 'width: 100%; height: 900px; border: 0'
  document.body.replaceChildren(frame)
  const view = frame.contentWindow
  const capabilities = asks ? { serverTools: {} } : {}
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, capabilities, { hostContext: { theme } })
  bridge.oncalltool = async ({ name, arguments: args }) => await globalThis.askTool(name, args)
  const shown = new Promise(resolve => {
    bridge.addEventListener('initialized', () => {
      void bridge.sendToolInput({ arguments: {} })
      void bridge.sendToolResult(result).then(resolve)
    })
  })
  await bridge.connect(new PostMessageTransport(view, view))
  frame.srcdoc = html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
  await shown
}
