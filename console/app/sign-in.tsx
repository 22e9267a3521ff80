import { type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Session, signIn } from '../client/session.js'
import { Wordmark } from '../look/icons.js'
import { useErrorText } from '../look/notes.js'
import { isSignedOut, queries, sessionQuery } from './queries.js'

/** Read before the router looks at the address, which it leaves at once. */
let linkCode = takeCode()

/** The one door: a key, pasted once; or the code of a link, which stands behind the # of its address. */
export function SignIn() {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly way: 'key' | 'code' }>()

  const enter = async (way: 'key' | 'code', given: string) => {
    setWaiting(true)
    try {
      const session = await signIn(way === 'key' ? { key: given } : { code: given })
      enterAs(session)
    } catch (error) {
      setFailure({ error, way })
      setWaiting(false)
    }
  }
  useEffect(() => {
    if (linkCode === undefined) return
    void enter('code', linkCode)
    linkCode = undefined
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (key.trim() !== '') void enter('key', key.trim())
  }

  return (
    <main className="door">
      <form onSubmit={submit}>
        <span className="brand">
          <Wordmark />
          {t('app.name')}
        </span>
        <div>
          <h1>{t('signIn.title')}</h1>
          <p className="muted">{t('signIn.lead')}</p>
        </div>
        {failure !== undefined && <Failure {...failure} />}
        <label className="field">
          <span>{t('signIn.key')}</span>
          <input
            className="input"
            type={isShown ? 'text' : 'password'}
            name="key"
            autoComplete="off"
            spellCheck={false}
            placeholder="esk_…"
            required
            value={key}
            onChange={event => setKey(event.target.value)}
          />
        </label>
        <label className="small">
          <input type="checkbox" checked={isShown} onChange={event => setShown(event.target.checked)} />{' '}
          {t('signIn.show')}
        </label>
        <button type="submit" className="button primary" disabled={isWaiting}>
          {isWaiting ? t('signIn.waiting') : t('signIn.submit')}
        </button>
        <p className="small muted">{t('signIn.noKey')}</p>
      </form>
    </main>
  )
}

function Failure({ error, way }: { readonly error: unknown; readonly way: 'key' | 'code' }) {
  const { t } = useTranslation()
  const text = useErrorText(error)
  const refused = way === 'key' ? t('signIn.badKey') : t('signIn.linkFailed')
  return (
    <p className="alert" role="alert">
      {isSignedOut(error) ? refused : text}
    </p>
  )
}

function enterAs(session: Session): void {
  // What was answered to somebody else, before.
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
  queries.setQueryData(sessionQuery.queryKey, session)
}

/** The code of a link, which leaves the address at once: it is good for one time only. */
function takeCode(): string | undefined {
  const code = location.pathname === '/sign-in' ? location.hash.slice(1) : ''
  if (code === '') return undefined
  history.replaceState(null, '', '/')
  return code
}
