import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Approval } from '../../client/settings.js'
import { askedOf, type Fields } from './asked.js'
import { CONFIRMED_ACTIONS } from './choices.js'
import { Do, List, WATCHED_MS } from './list.js'
import { Once } from './once.js'
import { useProjectPath } from './project-path.js'
import { useZonedMoment } from './use-moment.js'
import { WhatIsAsked } from './what-is-asked.js'

const DONE_HERE = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** What is read as one file. */
const EXPORTS: ReadonlySet<string> = new Set<keyof typeof CONFIRMED_ACTIONS>([
  'GET /api/v1/export',
  'GET /api/v1/export/tables/:table',
])

const isKnown = (action: string): action is keyof typeof CONFIRMED_ACTIONS => Object.hasOwn(CONFIRMED_ACTIONS, action)

/** What it is, with the name of what would be made. */
function useActionWords(): (approval: Approval) => string {
  const { t } = useTranslation()
  return approval => {
    const { action } = approval
    const words = isKnown(action) ? t(`settings.approvals.actions.${CONFIRMED_ACTIONS[action]}`) : action
    const name = askedOf(approval).body?.['name']
    return typeof name === 'string' ? t('settings.approvals.named', { words, name }) : words
  }
}

/** Who may do something about it: whoever did not ask confirms it, whoever asked has it done then. */
export const isTurnOf = ({ own, confirmed_at: confirmed }: Approval): boolean => own === (confirmed !== undefined)

/** What waits for a second administrator. */
export function Approvals() {
  const { t } = useTranslation()
  const { approval: opened } = useSearch({ from: '/settings' })
  const [made, setMade] = useState<{ readonly said: 'key' | 'invitation'; readonly secret: string }>()
  const [wasDone, setDone] = useState<string>()
  const at = useZonedMoment()
  const words = useActionWords()
  const path = `${useProjectPath()}/approvals`
  const state = ({ own, confirmed_by: by }: Approval) => {
    if (by !== undefined) return t('settings.approvals.confirmedBy', { by })
    return t(own ? 'settings.approvals.waitsForAnother' : 'settings.approvals.waitsForYou')
  }
  const done = (what: string, { key, invitation_url: url, invitation_code: code }: Fields) => {
    setDone(what)
    const invitation = url ?? code
    if (typeof key === 'string') setMade({ said: 'key', secret: key })
    else if (typeof invitation === 'string') setMade({ said: 'invitation', secret: invitation })
  }
  return (
    <>
      {made !== undefined && (
        <Once said={t(`settings.form.once.${made.said}`)} secret={made.secret} hide={() => setMade(undefined)} />
      )}
      <p role="status" className="done">
        {wasDone === undefined ? '' : t('settings.approvals.done', { what: wasDone })}
      </p>
      <List<{ readonly approvals: readonly Approval[] }, Approval>
        key={opened}
        label={t('settings.approvals.title')}
        empty={t('settings.approvals.empty')}
        path={path}
        everyMs={WATCHED_MS}
        rows={({ approvals }) => approvals}
        keyOf={({ approval_id: id }) => id}
        opened={opened}
        moreLabel={t('settings.approvals.open')}
        columns={[
          { name: t('settings.approvals.what'), cell: words },
          { name: t('settings.approvals.by'), cell: row => row.requested_by },
          { name: t('settings.approvals.at'), cell: row => at(row.requested_at) },
          { name: t('settings.approvals.until'), cell: row => at(row.expires_at) },
          { name: t('settings.state'), cell: state },
        ]}
        more={row => (
          <section className="approval" aria-label={words(row)}>
            <WhatIsAsked approval={row} />
            <Decide
              approval={row}
              path={`${path}/${row.approval_id}`}
              words={words(row)}
              done={answer => done(words(row), answer)}
            />
          </section>
        )}
      />
    </>
  )
}

interface DecideProps {
  readonly approval: Approval
  readonly path: string
  readonly words: string
  readonly done: (answer: Fields) => void
}

/** What can be done about it, and why no more. */
function Decide({ approval, path, words, done }: DecideProps) {
  const { t } = useTranslation()
  const at = useZonedMoment()
  const { own, confirmed_by: by, requested_by: asker } = approval
  const { method, address, body } = askedOf(approval)
  const until = at(approval.expires_at)
  // What is read page by page, or by a program of theirs, is read where it was asked for.
  const can = DONE_HERE.find(one => one === method && (one !== 'GET' || EXPORTS.has(approval.action)))
  const why = () => {
    if (by === undefined) return own ? t('settings.approvals.whyNotOwn') : t('settings.approvals.whatThen', { asker })
    if (!own) return t('settings.approvals.askerDoes', { asker, until })
    return can === undefined ? t('settings.approvals.askAgain', { until }) : t('settings.approvals.doIt', { until })
  }
  return (
    <>
      <p>{why()}</p>
      <div className="actions">
        {by === undefined && !own && (
          <Do
            label={t('settings.approvals.confirm')}
            method="POST"
            path={`${path}/confirm`}
            className="button primary"
          />
        )}
        {by !== undefined && own && can !== undefined && (
          <Do
            label={t('settings.approvals.do')}
            method={can}
            path={address}
            body={body}
            sure={t('settings.approvals.sureDo', { what: words })}
            done={done}
            className="button primary"
          />
        )}
        <Do
          label={t(own ? 'settings.approvals.takeBack' : 'settings.approvals.refuse')}
          method="DELETE"
          path={path}
          sure={t('settings.approvals.sureRefuse', { what: words, asker })}
          className="button"
        />
      </div>
    </>
  )
}
