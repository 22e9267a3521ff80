/**
 * How quickly the console's screens open over the demo's 3,000 calls: `npm run bench:console -- [--rounds 5] [--throttle 4]`.
 * Per screen: bytes of its first view over the wire without answers; milliseconds until it is shown and no long task is left, with
 * the processor that much slower; and how long after its last answer it was shown. Medians.
 */
import { parseArgs } from 'node:util'
import { withDemoConsole, worstCall } from './console/demo-console.mjs'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, throttle: { type: 'string', default: '4' } },
})
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
/** Without a long task for so long a page is at rest. */
const REST_MS = 300

await withDemoConsole(async ({ url, key, signedIn }) => {
  const { session_id: worst, agent_name: agent } = await worstCall(url, key)
  const screens = [
    ['Today', '/', '.reasons li'],
    ['Calls', '/calls', '.call-row'],
    ['Call', `/calls/${worst}`, '.turn'],
    ['Agents', '/agents', '.rows tbody tr'],
    ['Agent', `/agents/${encodeURIComponent(agent)}`, '.clips'],
    ['Changes', '/changes', '.detectable li'],
    [
      'Explore',
      `/explore#${encodeURIComponent('[{"$group":{"_id":"$agent_name","calls":{"$sum":1}}}]')}`,
      '.drawing .mark',
    ],
  ]
  console.log('Screen    first view, kB   interactive, ms   shown after its answer, ms')
  for (const [name, path, ready] of screens) {
    const rounds = []
    for (let round = 0; round < Number(options.rounds); round += 1) {
      rounds.push(await open(await signedIn({ viewport: { width: 1360, height: 900 } }), url + path, ready))
    }
    const of = what => Math.round(median(rounds.map(one => one[what])))
    console.log(
      `${name.padEnd(10)}${String(of('bytes') / 1000).padStart(14)}${String(of('interactive')).padStart(18)}${String(of('after')).padStart(27)}`,
    )
  }
})

async function open(context, address, ready) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(options.throttle) })
  const found = new Promise(resolve => void page.exposeFunction('tellOpened', resolve))
  await page.addInitScript(watch, { ready, restMs: REST_MS })
  await page.goto(address)
  const measured = await found
  await context.close()
  return measured
}

/** In the page, before anything of it runs: when what is waited for is there, and the last long task over. */
function watch({ ready, restMs }) {
  let shown
  let busyUntil = 0
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) busyUntil = Math.max(busyUntil, one.startTime + one.duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    const now = performance.now()
    if (shown === undefined && document.querySelector(ready) !== null) shown = now
    if (shown === undefined || now - Math.max(shown, busyUntil) < restMs) return requestAnimationFrame(look)
    const resources = performance.getEntriesByType('resource')
    const answers = resources.filter(one => one.name.includes('/api/') && one.responseEnd <= shown)
    const files = [
      ...resources.filter(one => !one.name.includes('/api/')),
      ...performance.getEntriesByType('navigation'),
    ]
    globalThis.tellOpened({
      bytes: files.reduce((sum, one) => sum + one.encodedBodySize, 0),
      interactive: Math.max(shown, busyUntil),
      after: shown - Math.max(0, ...answers.map(one => one.responseEnd)),
    })
  }
  requestAnimationFrame(look)
}
