import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndedKey, Key } from '../../client/settings.js'
import { UNKNOWN } from '../../look/format.js'
import { ChangeForm } from './change-form.js'
import { keyFields, keyForm } from './forms.js'
import { List } from './list.js'
import { NewForm } from './new-form.js'
import { Once } from './once.js'
import { useProjectPath } from './project-path.js'
import { useKeyWords } from './use-key-words.js'
import { useMoment } from './use-moment.js'

/** How long the key before is accepted beside the one that was made in its place: who uses it has to be given that. */
const GRACE_S = 3_600

/** Whom it hears, and by what it is narrowed. */
export function Keys() {
  const { t } = useTranslation()
  const [rotated, setRotated] = useState<string>()
  const [left, setLeft] = useState<NonNullable<EndedKey['still_accepted']>>([])
  const at = useMoment()
  const { heard, bounds } = useKeyWords()
  const path = `${useProjectPath()}/mcp-keys`
  return (
    <>
      {rotated !== undefined && (
        <Once said={t('settings.form.once.key')} secret={rotated} hide={() => setRotated(undefined)} />
      )}
      <div role="status">
        {left.map(({ key_id: id, name, key_preview: preview = '', expires_at: until }) => (
          <p key={id}>
            {until === undefined
              ? t('settings.keys.stillAccepted', { name, preview })
              : t('settings.keys.stillAcceptedUntil', { name, preview, until: at(until) })}
          </p>
        ))}
      </div>
      <NewForm form={keyForm(path)} />
      <List<{ readonly keys: readonly Key[] }, Key>
        label={t('settings.keys.title')}
        empty={t('settings.keys.empty')}
        path={path}
        rows={({ keys }) => keys}
        keyOf={row => row.key_id}
        columns={[
          { name: t('settings.name'), cell: row => row.name },
          { name: t('settings.keys.preview'), cell: row => row.key_preview ?? row.subject ?? UNKNOWN },
          { name: t('settings.keys.hears'), cell: heard },
          { name: t('settings.keys.roles'), cell: row => row.roles.join(', ') || t('settings.keys.none') },
          { name: t('settings.keys.bounds'), cell: row => bounds(row) || t('settings.keys.none') },
          { name: t('settings.keys.used'), cell: row => at(row.last_used_at) },
          { name: t('settings.keys.until'), cell: row => at(row.expires_at) },
        ]}
        moreLabel={t('settings.change')}
        more={row => (
          <ChangeForm
            label={t('settings.changeNamed', { name: row.name })}
            path={`${path}/${row.key_id}`}
            fields={keyFields}
            row={row}
          />
        )}
        actions={row => [
          // Who was invited has no token that could be another.
          ...(row.subject === undefined
            ? [
                {
                  label: t('settings.keys.rotate'),
                  method: 'POST' as const,
                  path: `${path}/${row.key_id}/rotate`,
                  body: { grace_seconds: GRACE_S },
                  sure: t('settings.keys.sureRotate', { name: row.name }),
                  done: ({ key }: Readonly<Record<string, unknown>>) => setRotated(String(key)),
                },
              ]
            : []),
          {
            label: t('settings.keys.end'),
            method: 'DELETE',
            path: `${path}/${row.key_id}`,
            sure: t('settings.keys.sure', { name: row.name }),
            done: ended => setLeft((ended as unknown as EndedKey).still_accepted ?? []),
          },
        ]}
      />
    </>
  )
}
