import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'
import { isForeignScheme } from './read-registration.js'

const STYLE = `
:root { color-scheme: light dark; --ground: #fcfcfb; --panel: #fff; --ink: #191b1f; --muted: #5b6068; --accent: #0b5cad; --line: #8b9097; --worse: #a8321f }
@media (prefers-color-scheme: dark) { :root { --ground: #131416; --panel: #1b1d20; --ink: #eceef0; --muted: #a0a7b0; --accent: #7ab8ff; --line: #6b727b; --worse: #ff9b87 } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/22px system-ui, sans-serif }
main { box-sizing: border-box; max-width: 30rem; margin: 8vh auto; padding: 24px; background: var(--panel); border: 1px solid var(--line); border-radius: 6px }
h1 { margin: 0 0 12px; font-size: 18px; line-height: 24px; font-weight: 600 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0 }
dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
label { display: block; margin: 16px 0 4px; font-weight: 600 }
input { box-sizing: border-box; width: 100%; padding: 8px; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px }
button { margin: 16px 8px 0 0; padding: 8px 16px; font: inherit; font-weight: 600; color: var(--panel); background: var(--accent); border: 1px solid var(--accent); border-radius: 6px; cursor: pointer }
button.second { color: var(--ink); background: none; border-color: var(--line) }
fieldset { margin: 12px 0 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px }
summary { cursor: pointer; font-weight: 600 } .list { max-height: 14rem; overflow-y: auto }
.choice { display: flex; gap: 8px; margin: 4px 0; font-weight: 400 } .choice input { width: auto; flex: none; margin: 4px 0 0 }
.muted { color: var(--muted) } .worse { color: var(--worse) }
`

/** Of the one style sheet that the pages have: nothing else may style them, and nothing may run. */
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/**
 * The headers of every page: nothing of it is loaded from anywhere, framed, kept or told to the next page. Its forms lead to
 * ourselves and no further, redirects included: `onwardPage` leads on from there.
 */
export function pageHeaders(): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With none at all, browsers would not say to us either that the form is our own (Origin: null).
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** Who asks to be let in: as the client calls itself, and where the answer goes. */
export interface Asking {
  readonly clientName: string
  readonly redirectHost: string
  /** Of the document by which the client is known; empty where it registered. */
  readonly documentHost: string
}

/** @param head what stands in its head beside what every page has */
function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${escapeHtml(title)} – Earshot</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
}

const facts = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`

const askingRows = ({ clientName, redirectHost, documentHost }: Asking): readonly (readonly [string, string])[] => [
  ['Program', clientName === '' ? 'says no name' : clientName],
  ...(documentHost === '' ? [] : [['Known by', documentHost] as const]),
  ['Answer goes to', redirectHost],
]

/**
 * Asks for an application key or an invitation.
 * @param company where to sign in with the identity provider, where there is one
 * @param fault what was wrong with the last one
 */
export function keyPage(asking: Asking, company: string | undefined, fault?: string): string {
  return page(
    'Connect a program to Earshot',
    `<p>A program asks to hear calls for you. It is not told your key.</p>
${facts(askingRows(asking))}
${company === undefined ? '' : `<p><a href="${escapeHtml(company)}">Sign in with your company</a></p>`}
<form method="post">
${fault === undefined ? '' : `<p class="worse" role="alert">${escapeHtml(fault)}</p>`}
<label for="key">Your application key, or your invitation</label>
<input id="key" name="key" type="password" autocomplete="off" required autofocus placeholder="esk_… or inv_…">
<button name="step" value="key">Go on</button>
</form>
<p class="muted">An administrator makes both, and says with each what it hears. Did you not begin this yourself? Close this page.</p>`,
  )
}

/** What a key hears, in words. */
export interface Heard {
  /** Of a key, or of the person. */
  readonly name: string
  readonly isPerson: boolean
  readonly text: 'none' | 'masked' | 'full'
  /** Whether it is told who asked what: beside calls, or of no call at all. */
  readonly trail: 'untold' | 'beside' | 'alone'
  readonly project: string
  readonly agents: string
  readonly calls: string
  /** Agents that can be chosen, so that a program hears those alone. */
  readonly offered: readonly string[]
  /** How many more there are, with fewer calls. */
  readonly notOffered: number
}

const TEXTS_HEARD = {
  none: 'figures and categories without what was said',
  masked: 'transcripts with what customers said among it, with personal data masked as far as masking finds it',
  full: 'transcripts with what customers said among it',
} as const

/** What is told beside the calls, of which it may be nothing. */
function told({ text, trail }: Heard): string {
  if (trail === 'alone') return 'who asked what in this project, and no call'
  return `${TEXTS_HEARD[text]}${trail === 'beside' ? ', and who asked what in this project' : ''}`
}

/** What somebody may choose instead of what the key sees of texts. */
export const LESS_TEXT = { none: [], masked: ['none'], full: ['masked', 'none'] } as const

/**
 * Says what the program will hear, and asks whether it may, and whether all of it.
 * @param until when it ends by itself, milliseconds since 1970
 * @param fault what was wrong with the last answer
 */
export function consentPage(asking: Asking, heard: Heard, until: number, fault?: string): string {
  const end = new Date(until).toISOString().replace('T', ' ').slice(0, 16)
  return page(
    'May this program hear your calls?',
    `${facts([
      ...askingRows(asking),
      ...heardRows(heard),
      heard.isPerson ? ['As', heard.name] : ['With', `the key “${heard.name}”`],
    ])}
<p>It will hear what ${heard.isPerson ? 'you hear' : 'that key hears'}, ${told(heard)}, until ${end} UTC or until an administrator ends it. It changes nothing.</p>
<form method="post">
${fault === undefined ? '' : `<p class="worse" role="alert">${escapeHtml(fault)}</p>`}
${lessForm(heard, fault !== undefined)}
<button name="step" value="allow">Allow</button>
<button class="second" name="step" value="deny" formnovalidate>Don’t allow</button>
</form>`,
  )
}

const SAID = {
  masked: 'transcripts with personal data masked as far as masking finds it; nothing is searched or computed by them',
  none: 'figures and categories alone, without what was said and names of customers',
} as const

/** Lets somebody leave out part of what the key hears. Without a choice nothing is left out. */
function lessForm({ offered, notOffered, text, trail }: Heard, isOpen: boolean): string {
  const choice = (kind: string, name: string, value: string, said: string, more = '') =>
    `<label class="choice"><input type="${kind}" name="${name}" value="${escapeHtml(value)}"${more}> ${escapeHtml(said)}</label>`
  const agents =
    offered.length < 2
      ? ''
      : `<fieldset><legend>Only these agents (none ticked: all of the above)</legend><div class="list">${offered.map(name => choice('checkbox', 'agent', name, name)).join('')}</div>${notOffered === 0 ? '' : `<p class="muted">The ${offered.length} with the most calls; ${notOffered} more can’t be chosen one by one.</p>`}</fieldset>`
  const texts =
    LESS_TEXT[text].length === 0
      ? ''
      : `<fieldset><legend>Of what was said it sees</legend>${[choice('radio', 'text', '', TEXTS_HEARD[text], ' checked'), ...LESS_TEXT[text].map(one => choice('radio', 'text', one, SAID[one]))].join('')}</fieldset>`
  const beside =
    trail === 'beside' ? '<p class="muted">A program that is to hear less is not told who asked what.</p>' : ''
  return agents + texts === ''
    ? ''
    : `<details${isOpen ? ' open' : ''}><summary>Let it hear less</summary>${agents}${texts}${beside}</details>`
}

const heardRows = ({ project, agents, calls }: Heard): readonly (readonly [string, string])[] => [
  ['Project', project],
  ['Agents', agents],
  ['Calls', calls],
]

/** Says what somebody is invited to, and how to go on. @param endpoint what AI clients connect to */
export function invitationPage(endpoint: string, heard: Heard): string {
  return page(
    'You are invited to Earshot',
    `<p>Add this address to your AI client (Claude, ChatGPT, Cursor, …) as a remote MCP server or connector:</p>
<p><strong>${escapeHtml(endpoint)}</strong></p>
${facts([...heardRows(heard), ['As', heard.name]])}
<p>It opens a page in your browser. In this browser, within the hour, that page asks you for nothing but your consent; in another, paste the link you came by.</p>
<p class="muted">The invitation lets one program in, once.</p>`,
  )
}

/** Says what went wrong, where nobody can be told but the person. @param next what they can do */
export function errorPage(sentence: string, next = 'Begin again in your program.'): string {
  return page('This didn’t work', `<p>${escapeHtml(sentence)}</p><p class="muted">${escapeHtml(next)}</p>`)
}

/**
 * Leads on to an address, by itself and by a link. Browsers hold the redirects after a form against the policy of its page, which
 * can't name all of them: the callback of a program may be at an IPv6 address, or lead on.
 * @param said what there is to do where it does not
 * @throws TypeError for an address that a page must not lead to
 */
export function onwardPage(address: string, said = 'You are led on. If you are not, follow the link.'): string {
  const { protocol, href } = new URL(address)
  if (isForeignScheme(protocol)) throw new TypeError(`No page leads to ${protocol}`)
  const to = escapeHtml(href)
  return page(
    'Go on',
    `<p>${escapeHtml(said)}</p><p><a href="${to}">Go on</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${to}">`,
  )
}

/** Says why a sign-in can't begin, with a link that leads back to whoever asked for it, and nothing else that does. */
export function backPage({ href, host }: URL, why: string): string {
  return page(
    'This didn’t work',
    `<p>${escapeHtml(host)} asked to be let in, in a way that can’t be answered: ${escapeHtml(why)}.</p>
<p class="muted">Nothing was sent there. Go back only if that is where you came from: <a href="${escapeHtml(href)}">${escapeHtml(host)}</a></p>`,
  )
}

/** Asks an administrator of every project for the one to look at. @param action where the answer goes */
export function projectPage(action: string): string {
  return page(
    'Which project?',
    `<p>You administer every project; the console shows one.</p>
<form action="${escapeHtml(action)}">
<label for="project">Project</label>
<input id="project" name="project_id" autocomplete="off" required autofocus maxlength="64">
<button>Go on</button>
</form>`,
  )
}
