// Makes the pictures of docs/console.md and the README from the real demo: `npm run build && node scripts/console-pictures.mjs`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withDemoConsole, worstCall } from './console/demo-console.mjs'

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url))

await withDemoConsole(async ({ url, key, signedIn }) => {
  const { session_id: worst } = await worstCall(url, key)
  const pictures = [
    ['today', '/', '.change'],
    ['call', `/calls/${worst}`, '.transcript'],
    ['agents', '/agents', '.rows'],
    ['changes', '/changes', '.forest'],
  ]
  for (const [name, path, ready] of pictures) {
    const context = await signedIn({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(url + path)
    await page.locator(ready).first().waitFor()
    // The stream of new calls stays open, so the network is never idle.
    await page.locator('.bone').first().waitFor({ state: 'detached' })
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await context.close()
  }
})
