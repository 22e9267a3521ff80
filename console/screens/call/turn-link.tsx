import { useTranslation } from 'react-i18next'

/** Leads to a turn of the call. */
export function TurnLink({ turn, go }: { readonly turn: number; readonly go: (turn: number) => void }) {
  const { t } = useTranslation()
  return (
    <a
      href={`#turn-${turn}`}
      onClick={event => {
        event.preventDefault()
        go(turn)
      }}
    >
      {t('call.atTurn', { turn })}
    </a>
  )
}
