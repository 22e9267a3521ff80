import { Popover } from '@base-ui/react/popover'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { useTranslation } from 'react-i18next'

/** Columns of the list with their widths where somebody chose them, in their order. What a call was about is always there: it leads to it. */
const WIDTHS = {
  when: 'minmax(0, 128px)',
  agent: 'minmax(0, 160px)',
  title: 'minmax(80px, 3fr)',
  why: 'minmax(0, 2fr)',
  score: 'minmax(0, 100px)',
  lift: 'minmax(0, 112px)',
  signals: 'minmax(0, 60px)',
  length: 'minmax(0, 48px)',
} as const
export type Column = keyof typeof WIDTHS
const COLUMNS = Object.keys(WIDTHS) as readonly Column[]
const USUAL: readonly Column[] = COLUMNS.filter(column => column !== 'signals')

/** The columns that an address names; what there is none of is passed over. */
export function columnsOf(chosen: string | undefined): readonly Column[] {
  if (chosen === undefined) return USUAL
  const names = chosen.split(',')
  return COLUMNS.filter(column => column === 'title' || names.includes(column))
}

/** The grid's columns; undefined of the usual ones, whose widths the style has for each width of the page. */
export function templateOf(chosen: string | undefined): string | undefined {
  return chosen === undefined
    ? undefined
    : columnsOf(chosen)
        .map(column => WIDTHS[column])
        .join(' ')
}

interface ColumnsProps {
  readonly chosen: string | undefined
  readonly set: (chosen: string | undefined) => void
}

/** Which columns are shown; they stand in the address. */
export function Columns({ chosen, set }: ColumnsProps) {
  const { t } = useTranslation()
  const shown = columnsOf(chosen)
  const toggle = (column: Column) => {
    const next = COLUMNS.filter(one => shown.includes(one) !== (one === column))
    set(next.join() === USUAL.join() ? undefined : next.join())
  }
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root>
        <Popover.Trigger className="button">{t('calls.chooseColumns')}</Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="end" collisionPadding={12}>
            <Popover.Popup className="popup" aria-label={t('calls.chooseColumns')}>
              {COLUMNS.filter(column => column !== 'title').map(column => (
                <label key={column} className="check">
                  <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column)} />
                  {t(`calls.columns.${column}`)}
                </label>
              ))}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  )
}
