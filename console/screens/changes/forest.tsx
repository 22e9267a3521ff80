import { useTranslation } from 'react-i18next'
import type { Change } from './calls-of-change.js'

interface ForestProps {
  readonly title: string
  readonly rows: readonly Change[]
  readonly show: (delta: number) => string
}

/** Changes along one scale around none: each as a dot, with how far such things usually move. */
export function Forest({ title, rows, show }: ForestProps) {
  const { t } = useTranslation()
  if (rows.length === 0) return null
  // A little beyond the farthest, so that no dot stands on the edge.
  const most = Math.max(...rows.map(({ delta, usual_move: usual }) => Math.max(Math.abs(delta), usual))) * 1.1 || 1
  const at = (delta: number) => `${50 + (delta / most) * 50}%`
  return (
    <figure className="forest">
      <figcaption className="small">{title}</figcaption>
      <ul>
        {rows.map(({ category, key, agent_id: id, display_name: name, delta, usual_move: usual }) => (
          <li key={`${category} ${key} ${id ?? ''}`}>
            <span className="forest-name">{name}</span>
            <svg
              className="interval"
              role="img"
              aria-label={t('changes.plot', { what: name, delta: show(delta), usual: show(usual).replace('+', '±') })}
            >
              <line className="reference" x1="50%" x2="50%" y1="0" y2="100%" />
              <line className="usual" x1={at(-usual)} x2={at(usual)} y1="50%" y2="50%" />
              <circle cx={at(delta)} cy="50%" r="5" />
            </svg>
            <span className="number">{show(delta)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
