import { createHash, randomBytes } from 'node:crypto'
import { NamedTurns } from '../base/named-turns.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { PrivacyStore } from '../store/privacy-store.js'
import type { ApprovalRecord } from '../store/records/approval.js'
import { canonicalJson } from './canonical-json.js'

/** How long something that was asked for can be confirmed, and then done. */
const APPROVAL_MS = 24 * 60 * 60 * 1_000
/** Of a project that wait at a time. */
const MOST_WAITING = 100
/** Characters of what is asked for: whoever confirms it reads all of it, so that nothing hides behind the rest. */
const MOST_ASKED = 64 * 1_024

/** Who asks or confirms: a person is their subject, whatever token they show. */
interface Person {
  readonly subject: string
  readonly name: string
}

interface Action {
  /** Method and path. */
  readonly action: string
  readonly asked: object
}

/**
 * Four eyes: what one administrator asks for is done when a second one has confirmed just that, once. The first asks, is told
 * that it waits, and asks again when it is confirmed, so that the answer, such as a key that is shown once, is theirs.
 */
export class Approvals {
  readonly #store: Pick<PrivacyStore, 'approvals' | 'putApproval' | 'confirmApproval' | 'takeApproval'>
  readonly #clock: () => number
  /** What is asked for several times at once is one request. */
  readonly #turns = new NamedTurns()

  constructor(
    store: Pick<PrivacyStore, 'approvals' | 'putApproval' | 'confirmApproval' | 'takeApproval'>,
    clock = Date.now,
  ) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Resolves where a second person confirmed just this for who asks; it is used up with that.
   * @throws Problem `forbidden` that says what it waits for, or that too much waits; `invalid_input` for what is too long to be read
   */
  async use(projectId: string, { action, asked }: Action, { subject, name }: Person): Promise<void> {
    const digest = createHash('sha256').update(canonicalJson({ action, asked })).digest('base64url')
    await this.#turns.run(projectId, async () => {
      const waiting = await this.list(projectId)
      const own = waiting.filter(one => one.digest === digest && one.requested_subject === subject)
      // Several of one request are there where several processes were asked at once.
      const mine = own.find(one => one.confirmed_at !== undefined) ?? own[0]
      // Of two that ask at once, one takes it.
      if (mine?.confirmed_at !== undefined && (await this.#store.takeApproval(projectId, mine.approval_id))) return
      throw waits(mine ?? (await this.#ask(projectId, { action, asked, digest }, { subject, name }, waiting.length)))
    })
  }

  async #ask(
    projectId: string,
    { action, asked, digest }: Action & { readonly digest: string },
    { subject, name }: Person,
    waiting: number,
  ): Promise<ApprovalRecord> {
    if (waiting >= MOST_WAITING)
      throw new Problem(
        'forbidden',
        `${MOST_WAITING} requests of the project wait for a second administrator: confirm or refuse some`,
      )
    const text = JSON.stringify(asked)
    if (text.length > MOST_ASKED)
      throw new Problem(
        'invalid_input',
        `What is asked for is too long for somebody to confirm it: ${text.length} characters, ${MOST_ASKED} may be`,
      )
    const record: ApprovalRecord = {
      approval_id: `appr_${randomBytes(9).toString('hex')}`,
      project_id: projectId,
      action,
      asked: text,
      digest,
      requested_at: new Date(this.#clock()).toISOString(),
      requested_by: name,
      requested_subject: subject,
      expires_at: new Date(this.#clock() + APPROVAL_MS).toISOString(),
    }
    await this.#store.putApproval(record)
    return record
  }

  /** What waits, oldest first; what is over is forgotten. */
  async list(projectId: string): Promise<readonly ApprovalRecord[]> {
    const now = new Date(this.#clock()).toISOString()
    const all = await this.#store.approvals(projectId)
    for (const { approval_id: id, expires_at: end } of all) {
      // oxlint-disable-next-line no-await-in-loop -- few, once each
      if (end <= now) await this.#store.takeApproval(projectId, id)
    }
    return all.filter(({ expires_at: end }) => end > now)
  }

  /** @throws Problem `forbidden` to who asked for it, whatever token they show */
  async confirm(projectId: string, approvalId: string, { subject, name }: Person): Promise<ApprovalRecord> {
    const asked = await this.#get(projectId, approvalId)
    if (asked.requested_subject === subject)
      throw new Problem('forbidden', 'You asked for this: a second administrator has to confirm it')
    if (asked.confirmed_at !== undefined) return asked
    const confirmed = { ...asked, confirmed_at: new Date(this.#clock()).toISOString(), confirmed_by: name }
    if (await this.#store.confirmApproval(confirmed)) return confirmed
    // It was refused meanwhile, or somebody else confirmed it.
    return await this.#get(projectId, approvalId)
  }

  /** Takes it back, or refuses it: whoever may confirm, and who asked. */
  async refuse(projectId: string, approvalId: string): Promise<ApprovalRecord> {
    const asked = await this.#get(projectId, approvalId)
    if (!(await this.#store.takeApproval(projectId, approvalId))) throw notFound(approvalId)
    return asked
  }

  async #get(projectId: string, approvalId: string): Promise<ApprovalRecord> {
    const found = (await this.list(projectId)).find(one => one.approval_id === approvalId)
    if (found === undefined) throw notFound(approvalId)
    return found
  }
}

function waits({ approval_id: id, expires_at: end }: ApprovalRecord): Problem {
  return new Problem(
    'forbidden',
    `A second administrator has to confirm this by ${end} (approval ${id}); then ask for it again`,
    { approvalId: id },
  )
}

const notFound = (approvalId: string) => new Problem('not_found', `Approval not found: ${echo(approvalId)}`)
