import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { names } from 'virtual:pipeline-names'
import { completed, completionAt, type Completion } from './completion.js'

interface PipelineEditorProps {
  readonly id: string
  readonly text: string
  readonly change: (text: string) => void
  readonly run: () => void
  /** What says what is wrong with it, by its id. */
  readonly wrong: string | undefined
}

/** The text of a pipeline. Names are completed while they are typed: arrows choose, Enter or Tab takes, Escape leaves it as it is. */
export function PipelineEditor({ id, text, change, run, wrong }: PipelineEditorProps) {
  const { t } = useTranslation()
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number>(undefined)
  const [completion, setCompletion] = useState<Completion>()
  const [at, setAt] = useState(0)
  // What React writes moves the caret to the end.
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    area.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])
  const offer = (offered: Completion | undefined) => {
    setCompletion(offered)
    setAt(0)
  }
  const take = (name: string | undefined) => {
    if (completion === undefined || name === undefined) return
    const next = completed(text, completion, name)
    caret.current = next.caret
    change(next.text)
    offer(undefined)
  }
  const pressed = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) return run()
    if (completion === undefined || event.shiftKey) return
    const { names: offered } = completion
    if (key === 'ArrowDown' || key === 'ArrowUp')
      setAt((at + (key === 'ArrowDown' ? 1 : offered.length - 1)) % offered.length)
    else if (key === 'Enter' || key === 'Tab') take(offered[at])
    else if (key === 'Escape') offer(undefined)
    else return
    event.preventDefault()
  }
  return (
    <div className="editor">
      <textarea
        id={id}
        ref={area}
        className="code"
        rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        aria-autocomplete="list"
        aria-controls={completion === undefined ? undefined : `${id}-names`}
        aria-activedescendant={completion === undefined ? undefined : `${id}-name-${at}`}
        aria-describedby={wrong}
        aria-invalid={wrong !== undefined}
        onChange={({ target: { value, selectionStart } }) => {
          change(value)
          offer(completionAt(value, selectionStart, names))
        }}
        onSelect={({ currentTarget }) => {
          if (completion !== undefined && currentTarget.selectionStart !== completion.until) offer(undefined)
        }}
        onBlur={() => offer(undefined)}
        onKeyDown={pressed}
      />
      {completion !== undefined && (
        <ul className="popup names" id={`${id}-names`} role="listbox" aria-label={t('explore.names')}>
          {completion.names.map((name, index) => (
            <li
              key={name}
              id={`${id}-name-${index}`}
              role="option"
              aria-selected={index === at}
              className="choice"
              onMouseDown={event => {
                // The text keeps the focus.
                event.preventDefault()
                take(name)
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
