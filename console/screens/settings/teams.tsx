import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.js'
import type { Team } from '../../client/settings.js'
import { ChangeForm } from './change-form.js'
import { teamFields, teamForm } from './forms.js'
import { List } from './list.js'
import { NewForm } from './new-form.js'
import { useProjectPath } from './project-path.js'
import { useMoment } from './use-moment.js'

/** Agents that are named in a row; all of them stand in the form. */
const MOST_NAMED = 10

/** Lists of agents that keys name, and pages choose by. */
export function Teams() {
  const { t } = useTranslation()
  const at = useMoment()
  const path = `${useProjectPath()}/teams`
  // The other pages offer the teams of the project's context: as they are when this is left.
  useEffect(() => () => void queries.invalidateQueries({ queryKey: ['get_project_context'] }), [])
  const named = ({ agents }: Team) => {
    const names = agents.slice(0, MOST_NAMED).join(', ')
    const count = agents.length - MOST_NAMED
    return count > 0 ? t('settings.teams.more', { names, count }) : names || t('settings.keys.nobody')
  }
  return (
    <>
      <NewForm form={teamForm(path)} />
      <List<{ readonly teams: readonly Team[] }, Team>
        label={t('settings.teams.title')}
        empty={t('settings.teams.empty')}
        path={path}
        rows={({ teams }) => teams}
        keyOf={({ team_id: id }) => id}
        columns={[
          { name: t('settings.name'), cell: row => row.name },
          { name: t('settings.teams.id'), cell: row => row.team_id },
          { name: t('settings.teams.agents'), cell: named },
          { name: t('settings.teams.changed'), cell: row => at(row.changed_at ?? row.created_at) },
        ]}
        moreLabel={t('settings.change')}
        more={row => (
          <ChangeForm
            label={t('settings.changeNamed', { name: row.name })}
            path={`${path}/${row.team_id}`}
            fields={teamFields}
            row={row}
          />
        )}
        actions={row => [
          {
            label: t('settings.teams.remove'),
            method: 'DELETE',
            path: `${path}/${row.team_id}`,
            sure: t('settings.teams.sure', { name: row.name }),
          },
        ]}
      />
    </>
  )
}
