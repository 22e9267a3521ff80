import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'
import { moment, percent } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { CHANCE, habitsOf } from './habits-of.js'
import type { Agent } from './performance.js'

type Finding = NonNullable<Agent['guidance']>[number]

/** The most that search_guidance gives at once. */
const CATALOG = 100

/** What the agent does well and what is to work on, furthest above others first, each with places to listen to. */
export function Habits({ agent, isAlone }: { readonly agent: Agent; readonly isAlone: boolean }) {
  const { t } = useTranslation()
  const own = useId()
  const catalog = useQuery(asking('search_guidance', { active_only: false, limit: CATALOG }))
  const kinds = new Map(catalog.data?.items.map(one => [one.guide_key, one]))
  const well = habitsOf(agent.guidance ?? [], kinds, 'excellence')
  const toWorkOn = habitsOf(agent.guidance ?? [], kinds, 'opportunity')
  const clips = useClips([...well, ...toWorkOn])
  if (catalog.isError) return <ErrorNote error={catalog.error} retry={() => void catalog.refetch()} />
  if (catalog.isPending) return <Bones rows={8} height={64} />
  return (
    <div className="columns even">
      {(
        [
          ['well', well],
          ['workOn', toWorkOn],
        ] as const
      ).map(([name, habits]) => (
        <section className="panel" key={name} aria-labelledby={`${own}-${name}`}>
          <h2 id={`${own}-${name}`} className={name === 'well' ? 'better' : 'worse'}>
            {t(`agent.${name}`)}
          </h2>
          <p className="small muted">{isAlone ? t('agent.habitsAlone') : t('agent.habitsLead')}</p>
          {habits.length === 0 && <p className="muted">{t('agent.none')}</p>}
          <ul>
            {habits.map(one => (
              <li key={one.key} className="habit">
                <h3>{one.display_name}</h3>
                <Share finding={one} />
                {name === 'workOn' && <p className="small">{kinds.get(one.key)?.description}</p>}
                <ol className="clips">
                  {(one.example_session_ids ?? []).map(id => (
                    <li key={id}>
                      <Clip id={id} clip={clips.get(`${id} ${one.key}`)} />
                    </li>
                  ))}
                </ol>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Share({ finding: { share, scope_share: all, z, calls } }: { readonly finding: Finding }) {
  const { t } = useTranslation()
  const own = t('agent.share', { share: percent(share), count: calls })
  if (z === undefined) return <p className="small">{own}</p>
  return (
    <p className="small">
      {own} · {t('agent.shareAll', { share: percent(all) })}{' '}
      {Math.abs(z) < CHANCE ? (
        <span className="muted">({t('agent.chance')})</span>
      ) : (
        <b>({z > 0 ? t('agent.more') : t('agent.less')})</b>
      )}
    </p>
  )
}

interface Spot {
  readonly began: string
  /** Undefined where no turn shows it because it was never said. */
  readonly at: { readonly turn: number; readonly quote: string } | undefined
}

/** Where in a call it can be heard: its words, or when the call was where no turn shows it. */
function Clip({ id, clip }: { readonly id: string; readonly clip: Spot | undefined }) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  return (
    <Link
      to="/calls/$session_id"
      params={{ session_id: id }}
      {...(clip?.at !== undefined && { hash: `turn-${clip.at.turn}` })}
      preload={false}
    >
      {clip?.at === undefined ? t('agent.clip', { at: moment(clip?.began, project.timezone) }) : `“${clip.at.quote}”`}
    </Link>
  )
}

/** The turns that show some habits in the calls they name, by call and habit: one question for all. */
function useClips(findings: readonly Finding[]): ReadonlyMap<string, Spot> {
  const ids = [...new Set(findings.flatMap(one => one.example_session_ids ?? []))].toSorted()
  const keys = findings.map(({ key }) => key).toSorted()
  const found = useQuery({
    ...asking('query_interactions', {
      pipeline: [
        { $match: { session_id: { $in: ids } } },
        { $unwind: '$guidance' },
        { $match: { 'guidance.key': { $in: keys } } },
        { $project: { key: '$guidance.key', began: '$created_dt', at: { $arrayElemAt: ['$guidance.evidence', 0] } } },
      ],
      limit: 200,
    }),
    enabled: ids.length > 0,
  })
  return new Map(
    found.data?.documents?.map(({ _id: id, key, began, at }) => [
      `${String(id)} ${String(key)}`,
      { began: String(began), at: isPlace(at) ? at : undefined },
    ]),
  )
}

function isPlace(value: unknown): value is NonNullable<Spot['at']> {
  const given = value as Partial<NonNullable<Spot['at']>> | null | undefined
  return typeof given === 'object' && typeof given?.turn === 'number' && typeof given.quote === 'string'
}
