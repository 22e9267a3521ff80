import '../look/app.css'
import { App, applyDocumentTheme, type McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { catalog } from '../texts/catalog.js'
import { isDrawn, type ToolResult } from './answers.js'
import { ToolWindow } from './tool-window.js'

// One page for the answers of several tools, shown by an AI client beside what its model says of them (MCP Apps, SEP-1865). It
// holds no key and reaches no address: what it shows came with the tool's answer, and what it asks for it asks the client,
// which calls the tool as its model would.

const { tool } = document.documentElement.dataset
const root = document.querySelector('#root')
if (root === null || !isDrawn(tool)) throw new Error('The page does not say whose answer it draws')

const themed = ({ theme }: McpUiHostContext = {}) => {
  if (theme !== undefined) applyDocumentTheme(theme)
}
const app = new App({ name: 'Earshot', version: '1' })
const answered = new Promise<ToolResult>((resolve, reject) => {
  app.addEventListener('toolresult', resolve)
  app.addEventListener('toolcancelled', () => reject(new Error('cancelled')))
})
app.addEventListener('hostcontextchanged', themed)
await app.connect()
themed(app.getHostContext())

createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={catalog}>
      <ToolWindow app={app} tool={tool} answered={answered} />
    </I18nextProvider>
  </StrictMode>,
)
