import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useContextAnswer, useMay } from '../../app/queries.js'
import { say, type Saying } from '../../client/say.js'
import { fullMoment } from '../../look/format.js'
import { useErrorText } from '../../look/notes.js'
import type { Detail } from './detail.js'
import { TurnLink } from './turn-link.js'

type Feedback = NonNullable<Detail['feedback']>[number]

interface OnOneProps {
  readonly detail: Detail
  /** What it is called, for who hears the page. */
  readonly name: string
  readonly about: Pick<Saying, 'about' | 'signal_key'>
}

/** Right, or wrong and why: of the score, or of a signal. */
export function Verdict({ detail, name, about }: OnOneProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const saying = useSaying(detail)
  if (useMay('give_feedback') !== true) return null
  return (
    <span className="verdict">
      <button
        type="button"
        className="button plain small"
        aria-label={t('said.rightOf', { name })}
        disabled={saying.isPending}
        onClick={() => saying.mutate({ ...about, verdict: 'agree' })}
      >
        {t('said.right')}
      </button>
      <button
        type="button"
        className="button plain small"
        aria-label={t('said.wrongOf', { name })}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('said.wrong')}
      </button>
      {isOpen && (
        <SayForm
          label={t('said.whyWrong', { name })}
          detail={detail}
          isNeeded={false}
          of={text => ({ ...about, verdict: 'dispute', ...(text !== '' && { text }) })}
          done={() => setOpen(false)}
        />
      )}
      <Failed error={saying.error} />
    </span>
  )
}

interface SayFormProps {
  readonly label: string
  readonly detail: Detail
  readonly isNeeded: boolean
  readonly of: (text: string) => Saying
  readonly done?: () => void
}

function SayForm({ label, detail, isNeeded, of, done }: SayFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const [text, setText] = useState('')
  const saying = useSaying(detail)
  return (
    <form
      className="say"
      onSubmit={event => {
        event.preventDefault()
        saying.mutate(of(text.trim()), {
          onSuccess: () => {
            setText('')
            done?.()
          },
        })
      }}
    >
      <label htmlFor={id} className="small">
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={4000}
        required={isNeeded}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={saying.isPending}>
        {t('said.send')}
      </button>
      <Failed error={saying.error} />
    </form>
  )
}

function Failed({ error }: { readonly error: unknown }) {
  const text = useErrorText(error)
  return error === null ? null : (
    <p className="alert" role="alert">
      {text}
    </p>
  )
}

/** Says something of the call; then the call is asked for anew, with what was said. */
function useSaying({ metadata: { session_id: id } }: Detail) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (saying: Saying) => say(id, saying),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['get_call_detail', id] })
      await queries.invalidateQueries({ queryKey: ['get_verdicts'] })
    },
  })
}

interface SaidProps {
  readonly detail: Detail
  readonly here: number | undefined
  /** What a signal is called. */
  readonly nameOf: (key: string) => string
  readonly go: (turn: number) => void
}

/** What people said of the call, and a place to say something of the turn that is looked at. */
export function Said({ detail, here, go, nameOf }: SaidProps) {
  const { t } = useTranslation()
  const { feedback = [] } = detail
  const mayGive = useMay('give_feedback') === true
  if (feedback.length === 0 && !mayGive) return null
  const given = feedback.filter(one => one.about !== 'feedback')
  const answersTo = (id: string) => feedback.filter(one => one.answers === id)
  return (
    <section className="panel" aria-labelledby="said-title">
      <h2 id="said-title">{t('said.title')}</h2>
      {feedback.length === 0 && <p className="muted">{t('said.nothing')}</p>}
      <ul className="evidence" aria-live="polite">
        {given.map(one => (
          <li key={one.feedback_id}>
            <One said={one} nameOf={nameOf} go={go} />
            {answersTo(one.feedback_id).map(answer => (
              <blockquote key={answer.feedback_id}>
                <One said={answer} nameOf={nameOf} go={go} />
              </blockquote>
            ))}
            {answersTo(one.feedback_id).length === 0 && <Answer said={one} detail={detail} />}
          </li>
        ))}
      </ul>
      {mayGive &&
        (here === undefined ? (
          <p className="small muted">{t('said.chooseTurn')}</p>
        ) : (
          <SayForm
            label={t('said.ofTurn', { turn: here })}
            detail={detail}
            isNeeded
            of={text => ({ about: 'turn', turn: here, text })}
          />
        ))}
    </section>
  )
}

type OneProps = Pick<SaidProps, 'nameOf' | 'go'> & { readonly said: Feedback }

function One({ said, nameOf, go }: OneProps) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const { about, verdict, signal_key: key, turn, rating, text, created_by: by, created_at: at } = said
  const of = {
    call: t('said.of.call'),
    score: t('call.score'),
    signal: key === undefined ? '' : nameOf(key),
    turn: '',
    feedback: t('said.of.answer'),
  }
  return (
    <>
      <span className="card-line">
        <b>{about === 'turn' && turn !== undefined ? <TurnLink turn={turn} go={go} /> : of[about]}</b>
        {verdict !== undefined && (
          <span className={`tag ${verdict === 'agree' ? 'better' : 'worse'}`}>
            {t(`said.${about === 'feedback' ? 'answered' : 'verdict'}.${verdict}`)}
          </span>
        )}
        {rating !== undefined && <span>{t('said.rated', { rating })}</span>}
      </span>
      {text !== undefined && <span className="own-words">{text}</span>}
      <span className="small muted">
        <bdi>{by}</bdi> · {fullMoment(at, project.timezone)}
      </span>
    </>
  )
}

/** What a supervisor says to a dispute: taken or not, and why. */
function Answer({ said, detail }: { readonly said: Feedback; readonly detail: Detail }) {
  const { t } = useTranslation()
  const [verdict, setVerdict] = useState<'agree' | 'dispute'>()
  if (useMay('answer_feedback') !== true || said.verdict !== 'dispute') return null
  return (
    <div>
      {(['agree', 'dispute'] as const).map(one => (
        <button
          key={one}
          type="button"
          className="button plain small"
          aria-expanded={verdict === one}
          onClick={() => setVerdict(one)}
        >
          {t(`said.answer.${one}`)}
        </button>
      ))}
      {verdict !== undefined && (
        <SayForm
          key={verdict}
          label={t(`said.answerWhy.${verdict}`)}
          detail={detail}
          isNeeded
          of={text => ({ about: 'feedback', answers: said.feedback_id, verdict, text })}
        />
      )}
    </div>
  )
}
