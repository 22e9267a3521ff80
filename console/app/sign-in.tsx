import { type SubmitEvent, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../client/ask.js'
import { COMPANY_SIGN_IN, hasCompany, type Session, type Shown, signIn } from '../client/session.js'
import { Wordmark } from '../look/icons.js'
import { useErrorText } from '../look/notes.js'
import { isSignedOut, queries, sessionQuery } from './queries.js'

/** Where somebody was who left to sign in elsewhere, until they are back. */
const PLACE = 'earshot.place'

/** Read before the router looks at the address, which it leaves at once. */
let linkCode = takeCode()
goBack()

/** An admin token, as against a key: three parts of base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * The one door: a key or an admin token, pasted once; or the code of a link, which stands behind the # of its address.
 * @param hasEnded whether a session ended while it was used: nobody who did not leave wonders where the page went
 */
export function SignIn({ hasEnded }: { readonly hasEnded: boolean }) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const [project, setProject] = useState('')
  const [isShown, setShown] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly way: Way }>()

  const { data: company } = useQuery({ queryKey: ['company'], queryFn: ({ signal }) => hasCompany(signal) })
  const isToken = JWT.test(key.trim())

  const enter = async (given: Shown) => {
    setWaiting(true)
    try {
      enterAs(await signIn(given))
    } catch (error) {
      setFailure({ error, way: 'code' in given ? 'code' : JWT.test(given.key) ? 'token' : 'key' })
      setWaiting(false)
    }
  }
  useEffect(() => {
    if (linkCode === undefined) return
    void enter({ code: linkCode })
    linkCode = undefined
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const named = isToken ? project.trim() : ''
    if (key.trim() !== '') void enter({ key: key.trim(), ...(named === '' ? {} : { project_id: named }) })
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
        {failure !== undefined ? (
          <Failure {...failure} />
        ) : (
          hasEnded && (
            <p className="alert" role="alert">
              {t('signIn.ended')}
            </p>
          )
        )}
        {company === true && (
          <a className="button" href={COMPANY_SIGN_IN} onClick={keepPlace}>
            {t('signIn.company')}
          </a>
        )}
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
        {isToken && (
          <label className="field">
            <span>{t('signIn.project')}</span>
            <input
              className="input"
              name="project"
              autoComplete="off"
              spellCheck={false}
              value={project}
              onChange={event => setProject(event.target.value)}
            />
          </label>
        )}
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

type Way = 'key' | 'token' | 'code'

const REFUSED = { key: 'signIn.badKey', token: 'signIn.badToken', code: 'signIn.linkFailed' } as const

function Failure({ error, way }: { readonly error: unknown; readonly way: Way }) {
  const { t } = useTranslation()
  const text = useErrorText(error)
  const namesNone = way === 'token' && error instanceof Refusal && error.code === 'invalid_input'
  const said = namesNone ? t('signIn.nameProject') : text
  return (
    <p className="alert" role="alert">
      {isSignedOut(error) ? t(REFUSED[way]) : said}
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

function placeNow(): string {
  return `${location.pathname}${location.search}${location.hash}`
}

function keepPlace(): void {
  sessionStorage.setItem(PLACE, placeNow())
}

/** Who comes back comes to the first page. */
function goBack(): void {
  const place = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  if (place !== null && placeNow() === '/') history.replaceState(null, '', `${location.origin}${place}`)
}
