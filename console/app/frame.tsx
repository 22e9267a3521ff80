import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '../client/session.js'
import { icons, Wordmark } from '../look/icons.js'
import { Bones, ErrorNote, useErrorText } from '../look/notes.js'
import { asking, isSignedOut, queries, sessionQuery, useMay } from './queries.js'
import { SignIn } from './sign-in.js'
import { Help } from './help.js'
import { useKeptFocus } from './use-kept-focus.js'

/** What is around every screen: who is signed in decides whether there is one. The address stays through signing in. */
export function Frame() {
  const { t } = useTranslation()
  const session = useQuery(sessionQuery)
  const isSignedIn = session.isSuccess && session.data !== null
  const context = useQuery({ ...asking('get_project_context', {}), enabled: isSignedIn })
  const mayImport = useMay('import_calls', isSignedIn)
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (session.isPending) {
    return (
      <p className="boot" role="status">
        {t('app.waiting')}
      </p>
    )
  }
  if (session.data === null || isSignedOut(session.error)) return <SignIn hasEnded={wasSignedIn} />
  if (!wasSignedIn && session.data !== undefined) setWasSignedIn(true)
  // What was answered stays where it can't be asked for anew: a screen may hold what is not saved.
  const failed = context.data === undefined ? (session.error ?? context.error) : null
  if (failed !== null) {
    return (
      <main className="door">
        <ErrorNote error={failed} retry={() => void queries.invalidateQueries()} />
        <SignOut />
      </main>
    )
  }
  if (session.data === undefined || context.data === undefined)
    return <Shell name="" project="" zone="" hidden={['import', ...ADMINISTRATORS]} isReady={false} />
  const { name, timezone } = context.data.project
  const hidden: readonly Place[] = [
    ...(mayImport === true ? [] : (['import'] as const)),
    ...(session.data.administrator === true ? [] : ADMINISTRATORS),
  ]
  return <Shell name={session.data.name} project={name} zone={timezone} hidden={hidden} isReady />
}

const PLACES = [
  ['/', 'today'],
  ['/calls', 'calls'],
  ['/agents', 'agents'],
  ['/changes', 'changes'],
  ['/explore', 'explore'],
  ['/import', 'import'],
  ['/rubric', 'rubric'],
  ['/settings', 'settings'],
  ['/key', 'key'],
] as const
type Place = (typeof PLACES)[number][1]
const ADMINISTRATORS = ['rubric', 'settings'] as const

interface ShellProps {
  readonly name: string
  readonly project: string
  readonly zone: string
  /** What whoever is signed in may not do is not shown. */
  readonly hidden: readonly Place[]
  readonly isReady: boolean
}

function Shell({ name, project, zone, hidden, isReady }: ShellProps) {
  const { t } = useTranslation()
  const content = useFocusOnNewPage()
  useKeptFocus(content)
  const places = useOpenedInSight(hidden.length)
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <header className="rail">
        <Link to="/" className="brand">
          <Wordmark />
          {t('app.name')}
        </Link>
        <nav aria-label={t('nav.label')} ref={places}>
          <ul>
            {PLACES.filter(([, place]) => !hidden.includes(place)).map(([to, place]) => (
              <li key={to}>
                <Link to={to} activeOptions={{ includeSearch: false, exact: to === '/' }}>
                  {icons[place]}
                  {t(`nav.${place}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="who small">
          <span className="who-name">{name}</span>
          <span className="project muted">{isReady && t('who.project', { name: project, zone })}</span>
          <SignOut />
        </div>
      </header>
      <main className="main" id="content" ref={content} tabIndex={-1}>
        {isReady ? <Outlet /> : <Bones rows={8} />}
      </main>
      <Help />
    </div>
  )
}

/** Ends the session, and with it everything that was answered to it; who could not be signed out still is signed in, and told so. */
function SignOut() {
  const { t } = useTranslation()
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queries.clear()
      location.assign('/')
    },
  })
  const why = useErrorText(leaving.error)
  return (
    <>
      <button type="button" className="link" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        {t('who.signOut')}
      </button>
      {leaving.isError && <span role="alert">{t('who.stillSignedIn', { why })}</span>}
    </>
  )
}

/** Who moves by keys or listens begins at the new page's beginning, not where the old one was left. */
function useFocusOnNewPage() {
  const content = useRef<HTMLElement>(null)
  const path = useRouterState({ select: state => state.location.pathname })
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    content.current?.focus({ preventScroll: true })
  }, [path])
  return content
}

/** On a narrow page the places are a row that is scrolled: the opened one is brought into sight, and nothing else moves. */
function useOpenedInSight(hidden: number) {
  const places = useRef<HTMLElement>(null)
  const path = useRouterState({ select: state => state.location.pathname })
  useEffect(() => {
    const row = places.current
    const opened = row?.querySelector('[aria-current="page"]')
    if (row === null || opened === null || opened === undefined) return
    const [all, one] = [row.getBoundingClientRect(), opened.getBoundingClientRect()]
    if (one.left < all.left) row.scrollLeft += one.left - all.left
    else if (one.right > all.right) row.scrollLeft += one.right - all.right
  }, [path, hidden])
  return places
}
