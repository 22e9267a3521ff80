import { Popover } from '@base-ui/react/popover'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../app/queries.js'
import { type CallsSearch, readFilters } from './filters.js'

interface View {
  readonly name: string
  readonly search: CallsSearch
}

const MOST_VIEWS = 50
const MOST_NAME_CHARACTERS = 60

/** Lists of calls that somebody comes back to, by name: addresses, kept in this browser for whoever is signed in. */
export function Views({ search }: { readonly search: CallsSearch }) {
  const { t } = useTranslation()
  const { data: session } = useQuery(sessionQuery)
  const place = `earshot.views ${session?.project_id ?? ''} ${session?.name ?? ''}`
  const [views, setViews] = useState(() => kept(place))
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const change = (next: readonly View[]) => {
    setViews(next)
    keep(place, next)
  }
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return
    setName('')
    const others = views.filter(view => view.name !== given)
    change([...others, { name: given, search }].slice(-MOST_VIEWS))
  }
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="button">{t('calls.views.title')}</Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="end" collisionPadding={12}>
            <Popover.Popup className="popup" aria-label={t('calls.views.title')}>
              {views.length === 0 && <p className="muted">{t('calls.views.none')}</p>}
              <ul className="views">
                {views.map(view => (
                  <li key={view.name}>
                    <Link to="/calls" search={view.search} className="choice" onClick={() => setOpen(false)}>
                      {view.name}
                    </Link>
                    <button
                      type="button"
                      className="pill-remove"
                      aria-label={t('calls.views.remove', { name: view.name })}
                      onClick={() => change(views.filter(one => one !== view))}
                    >
                      <span aria-hidden="true">×</span>
                    </button>
                  </li>
                ))}
              </ul>
              <form className="actions" onSubmit={save}>
                <input
                  className="input phrase"
                  aria-label={t('calls.views.name')}
                  placeholder={t('calls.views.name')}
                  maxLength={MOST_NAME_CHARACTERS}
                  value={name}
                  onChange={event => setName(event.target.value)}
                  autoComplete="off"
                />
                <button type="submit" className="button">
                  {t('calls.views.save')}
                </button>
              </form>
              <p className="small muted">{t('calls.views.where')}</p>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  )
}

/** What is kept at a place; nothing of what is no list of views, and of a filter that is no more. */
function kept(place: string): readonly View[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(found) ? found.flatMap(viewOf) : []
  } catch {
    return []
  }
}

function viewOf(one: unknown): readonly View[] {
  if (typeof one !== 'object' || one === null || !('name' in one) || typeof one.name !== 'string') return []
  const search = 'search' in one && typeof one.search === 'object' && one.search !== null ? one.search : {}
  return [{ name: one.name, search: readFilters({ ...search }) }]
}

function keep(place: string, views: readonly View[]): void {
  try {
    if (views.length === 0) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(views))
  } catch {
    // A browser that keeps nothing: they last as long as the page.
  }
}
