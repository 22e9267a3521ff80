import type { Address, Email } from 'postal-mime'
import type { Reading } from '../reading.js'
import { earliest, instantOf, since } from './documents/times.js'
import { wholeFormat, type WholeTold } from './documents/whole-format.js'
import { beginsMail, beginsMbox } from './email/begins-mail.js'
import { type MailAddress, sidesOf } from './email/mail-sides.js'
import { splitMbox } from './email/split-mbox.js'
import { writtenText } from './email/written-text.js'
import { loadHtmlText } from './written/html-text.js'

/** Most messages of one file: each takes its time to be read. */
const MOST_MESSAGES = 5_000

interface Mail {
  readonly id: string | undefined
  /** Ids of messages before it in its thread, the first first. */
  readonly before: readonly string[]
  readonly from: MailAddress
  readonly to: readonly MailAddress[]
  readonly subject: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number | undefined
  readonly text: string
}

async function tell(bytes: Uint8Array, { agentSpeakers }: Reading): Promise<readonly WholeTold[]> {
  const messages = beginsMbox(Buffer.from(bytes.subarray(0, 65_536)).toString('latin1')) ? splitMbox(bytes) : [bytes]
  if (messages.length > MOST_MESSAGES) {
    return [{ fault: `holds ${messages.length} messages, more than ${MOST_MESSAGES}: split it by month or by mailbox` }]
  }
  const { default: PostalMime } = await import('postal-mime')
  const htmlText = await loadHtmlText()
  const mails: Mail[] = []
  const told: WholeTold[] = []
  for (const [index, message] of messages.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one at a time bounds the memory
      const mail = mailOf(await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer' }), htmlText)
      if (typeof mail === 'string')
        told.push({ fault: `${mail}${messages.length > 1 ? ` (message ${index + 1})` : ''}` })
      else mails.push(mail)
    } catch {
      told.push({ fault: `holds a message that can't be read (message ${index + 1})` })
    }
  }
  return [...told, ...threadsOf(mails).map(thread => callOf(thread, agentSpeakers))]
}

function mailOf(email: Email, htmlText: (html: string) => string): Mail | string {
  const from = addressOf(email.from)
  if (from === undefined) return 'holds a message without a sender'
  const at = email.date === undefined ? Number.NaN : Date.parse(email.date)
  const written = writtenText(email.text?.trim() ? email.text : htmlText(email.html ?? ''))
  return {
    id: idOf(email.messageId),
    before: `${email.references ?? ''} ${email.inReplyTo ?? ''}`.split(/\s+/).flatMap(one => idOf(one) ?? []),
    from,
    to: [...(email.to ?? []), ...(email.cc ?? []), ...(email.replyTo ?? [])].flatMap(one => addressOf(one) ?? []),
    subject: email.subject?.trim() === '' ? undefined : email.subject?.trim(),
    at: Number.isNaN(at) ? undefined : at,
    text: written === '' ? '(quotes an earlier message only)' : written,
  }
}

function addressOf(given: Address | undefined): MailAddress | undefined {
  const address = given?.address?.trim()
  if (address === undefined || !address.includes('@')) return undefined
  return { name: given?.name?.trim() ?? '', address }
}

function idOf(given: string | undefined): string | undefined {
  const bare = given?.trim().replace(/^<|>$/g, '')
  return bare === undefined || bare === '' ? undefined : bare
}

/** The messages that belong together: by the ids they answer, else by a subject that is an answer to another. */
function threadsOf(mails: readonly Mail[]): readonly (readonly Mail[])[] {
  const threads = new Map<string, Mail[]>()
  const threadOf = new Map<string, string>()
  const bySubject = new Map<string, string>()
  const inOrder = mails.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  for (const [index, mail] of inOrder.entries()) {
    const subject = baseOf(mail.subject)
    const answered = mail.before.map(one => threadOf.get(one)).find(one => one !== undefined)
    const named =
      mail.before.length === 0 && subject !== mail.subject?.toLowerCase() ? bySubject.get(subject) : undefined
    const key = answered ?? named ?? mail.before[0] ?? mail.id ?? `message ${index}`
    const thread = threads.get(key)
    if (thread === undefined) threads.set(key, [mail])
    else thread.push(mail)
    for (const one of [mail.id, ...mail.before]) if (one !== undefined) threadOf.set(one, key)
    if (subject !== '') bySubject.set(subject, key)
  }
  return [...threads.values()]
}

/** A subject without the signs of an answer. */
function baseOf(subject = ''): string {
  return subject
    .replace(/^(?:\s{0,3}(?:re|aw|sv|antw|fw|fwd|wg)(?:\[\d{1,3}\])?\s{0,3}:){1,20}\s{0,3}/i, '')
    .toLowerCase()
}

function callOf(thread: readonly Mail[], asked: readonly string[]): WholeTold {
  const [first] = thread
  const roleOf = sidesOf(
    thread.map(({ from }) => from),
    thread.flatMap(({ to }) => to),
    asked,
  )
  const began = earliest(thread.map(({ at }) => at))
  const role = first && roleOf(first.from)
  return {
    speeches: thread.map(({ from, text, at }) => ({
      speaker: from.name === '' ? from.address : from.name,
      role: roleOf(from),
      text,
      start: since(began, at),
      end: undefined,
    })),
    fields: {
      session_id: sessionOf(first?.id ?? first?.before[0]),
      created_dt: instantOf(began),
      title: first?.subject,
      channel: 'email',
      interaction_direction: role === 'customer' ? 'inbound' : role === 'agent' ? 'outbound' : undefined,
    },
    metadata: { messages: thread.length, mailbox: first?.to[0]?.address },
  }
}

/** Ids of messages may be longer than those of calls. */
function sessionOf(id: string | undefined): string | undefined {
  return id === undefined || id.length > 200 ? undefined : id
}

/** E-mail: a message, or an mbox of threads. */
export const email = wholeFormat({
  name: 'email',
  title: 'e-mail: a message (eml), or threads of messages (mbox)',
  page: {
    recognised: 'the header of a message (`From`, `Date` …), or an mbox’s `From ` line above it',
    documented: ['https://www.rfc-editor.org/rfc/rfc5322', 'https://www.rfc-editor.org/rfc/rfc4155'],
    agent:
      'everybody of the company whose support, service, info or like mailbox takes part; or `--agent-speaker` with a name, an address or a domain (`@shop.example`)',
    taken:
      'a call for each thread, by `References` and `In-Reply-To`, else by the subject; the first `Message-ID` → session_id; `Date` → created_dt and times; names of senders; subject → title; what was written, in any declared encoding, HTML as text; channel email',
    lost: 'quoted messages, attachments, layout; an mbox is read whole, so it may be no longer than a record (16 MiB)',
  },
  recognises: ({ head }) => beginsMbox(head) || beginsMail(head),
  tell,
})
