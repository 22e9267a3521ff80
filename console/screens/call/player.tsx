import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Detail, Turn } from './detail.js'

/** What may be done to a player. */
export interface PlayerHandle {
  /** Goes to where a turn begins; nothing where that is not known. */
  readonly seek: (turn: number) => void
}

interface PlayerProps {
  readonly detail: Detail
  readonly turns: readonly Turn[]
  /** The turn that the address names when the call is opened. */
  readonly here: number | undefined
  readonly handle: RefObject<PlayerHandle | null>
  /** Hears which turn is being played. */
  readonly onTurn: (turn: number | undefined) => void
}

/** The recording of a call. Nothing of it is loaded before somebody plays it. */
export function Player({ detail: { metadata }, turns, here, handle, onTurn }: PlayerProps) {
  const { t } = useTranslation()
  const audio = useRef<HTMLAudioElement>(null)
  const [isBroken, setBroken] = useState(false)
  const { session_id: id, recording_url: place = '' } = metadata
  const seek = (number: number) => {
    const start = turns.find(({ turn }) => turn === number)?.start_s
    if (start !== undefined && audio.current !== null) audio.current.currentTime = start
  }
  useImperativeHandle(handle, () => ({ seek }))
  // Once, where the link leads; whoever moves on afterwards says so.
  useEffect(() => {
    if (here !== undefined) seek(here)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const followed = () => {
    const element = audio.current
    if (element === null || element.paused) return
    const playing = turns.findLast(({ start_s: start }) => start !== undefined && start <= element.currentTime)?.turn
    onTurn(playing)
  }
  const source = /^https?:/i.test(place) ? place : `/api/v1/interactions/${encodeURIComponent(id)}/recording`
  return (
    <section className="panel player" aria-labelledby="recording-title">
      <h2 id="recording-title">{t('call.recording')}</h2>
      {isBroken ? (
        <p className="muted" role="status">
          {t('call.noRecording')}
        </p>
      ) : (
        <audio
          ref={audio}
          controls
          preload="none"
          src={source}
          aria-labelledby="recording-title"
          onTimeUpdate={followed}
          onPlay={followed}
          onPause={() => onTurn(undefined)}
          onError={() => setBroken(true)}
        />
      )}
    </section>
  )
}
