import { Popover } from '@base-ui/react/popover'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useContextAnswer } from '../../app/queries.js'
import { icons } from '../../look/icons.js'
import { FilterEditor, usePillText } from './filter-editor.js'
import { type FilterName, type Filters, isSet, PILL_NAMES, type PillName, without } from './filters.js'

const SORTS = ['date_desc', 'date_asc', 'score_asc', 'score_desc', 'lift_desc'] as const

interface FilterBarProps {
  readonly filters: Filters
  readonly set: (filters: Filters) => void
}

/** What calls are shown: words, a pill for each filter, and their order. Escape takes the filters away. */
export function FilterBar({ filters, set }: FilterBarProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<PillName>()
  const shown = PILL_NAMES.filter(pill => isSet(filters, pill) || pill === opened)
  const isFiltered = Object.keys(filters).some(name => name !== 'sort')
  const sort = filters.sort ?? 'date_desc'
  return (
    <CSPProvider disableStyleElements>
      <div className="filters">
        <Search text={filters.text} set={text => set(withValue(filters, 'text', text))} />
        {shown.map(pill => (
          <Pill
            key={pill}
            pill={pill}
            filters={filters}
            isOpen={opened === pill}
            open={isOpen => setOpened(isOpen ? pill : undefined)}
            set={next => {
              set(next)
              setOpened(undefined)
            }}
          />
        ))}
        <AddFilter filters={filters} choose={setOpened} />
        {isFiltered && (
          <button
            type="button"
            className="button plain"
            onClick={() => set(filters.sort === undefined ? {} : { sort: filters.sort })}
          >
            {t('calls.clear')}
          </button>
        )}
        <label className="sort">
          <span className="visually-hidden">{t('calls.sort')}</span>
          <select
            className="select"
            value={sort}
            onChange={event => set(withValue(filters, 'sort', event.target.value))}
          >
            {SORTS.map(one => (
              <option key={one} value={one}>
                {t(`calls.sorts.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </CSPProvider>
  )
}

function withValue(filters: Filters, name: FilterName, value: string): Filters {
  return { ...filters, [name]: value === '' ? undefined : value }
}

function Search({ text = '', set }: { readonly text: string | undefined; readonly set: (text: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    set(typed.trim())
  }
  return (
    <form className="search" role="search" onSubmit={submit}>
      {icons.search}
      <input
        id="search"
        className="input"
        type="text"
        enterKeyHint="search"
        aria-label={t('calls.search')}
        placeholder={t('calls.search')}
        maxLength={200}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => typed.trim() !== text && set(typed.trim())}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          setTyped('')
          set('')
        }}
      />
      {typed === '' && <kbd aria-hidden="true">/</kbd>}
    </form>
  )
}

interface PillProps extends FilterBarProps {
  readonly pill: PillName
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
}

function Pill({ pill, filters, set, isOpen, open }: PillProps) {
  const { t } = useTranslation()
  const name = t(`calls.filters.${pill}`)
  const value = usePillText(pill, filters)
  return (
    <Popover.Root open={isOpen} onOpenChange={open}>
      <span className="pill">
        <Popover.Trigger className="pill-label">
          {name} {value !== '' && <b>{value}</b>}
        </Popover.Trigger>
        <button
          type="button"
          className="pill-remove"
          aria-label={t('calls.remove', { name })}
          onClick={() => set(without(filters, pill))}
        >
          <span aria-hidden="true">×</span>
        </button>
      </span>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" collisionPadding={12}>
          <Popover.Popup className="popup" aria-label={name}>
            <FilterEditor pill={pill} filters={filters} set={set} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function AddFilter({ filters, choose }: { readonly filters: Filters; readonly choose: (pill: PillName) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { teams = [] } = useContextAnswer()
  const left = PILL_NAMES.filter(pill => !isSet(filters, pill) && (pill !== 'team' || teams.length > 0))
  if (left.length === 0) return null
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button">
        <span aria-hidden="true">+</span> {t('calls.add')}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" collisionPadding={12}>
          <Popover.Popup className="popup" aria-label={t('calls.add')}>
            <ul className="choices">
              {left.map(pill => (
                <li key={pill}>
                  <button
                    type="button"
                    className="choice"
                    onClick={() => {
                      setOpen(false)
                      choose(pill)
                    }}
                  >
                    {t(`calls.filters.${pill}`)}
                  </button>
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
