import { useTranslation } from 'react-i18next'
import { useContextAnswer } from './queries.js'

interface ChooseTeamProps {
  readonly team: string | undefined
  readonly choose: (team: string) => void
}

/** The agents of one team alone, where there are teams. */
export function ChooseTeam({ team = '', choose }: ChooseTeamProps) {
  const { t } = useTranslation()
  const { teams = [] } = useContextAnswer()
  if (teams.length === 0) return null
  return (
    <label>
      <span className="visually-hidden">{t('calls.filters.team')}</span>
      <select className="select" value={team} onChange={event => choose(event.target.value)}>
        <option value="">{t('teams.all')}</option>
        {teams.map(one => (
          <option key={one.team_id} value={one.team_id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
}
