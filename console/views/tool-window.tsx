import type { App } from '@modelcontextprotocol/ext-apps'
import { Component, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Links, LinksProvider } from '../look/links.js'
import { Bones, Note } from '../look/notes.js'
import { answerIn, type AskTool, type Drawn, type Shown, ToolRefusal, type ToolResult } from './answers.js'
import { CallList } from './call-list.js'
import { CallView } from './call-view.js'
import { ChangesView } from './changes-view.js'
import { SummaryView } from './summary-view.js'

interface ToolWindowProps {
  readonly app: App
  readonly tool: Drawn
  /** What the tool answered, when it comes. */
  readonly answered: Promise<ToolResult>
}

/** What a tool answered, drawn; from there one goes on to calls, and back, where the client asks tools for us. */
export function ToolWindow({ app, tool, answered }: ToolWindowProps) {
  const { t } = useTranslation()
  const [path, setPath] = useState<readonly Shown[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isAsking, setAsking] = useState(true)
  const follow = (answer: Promise<Shown>) => {
    setAsking(true)
    setFailure(undefined)
    answer.then(one => setPath(before => [...before, one]), setFailure).finally(() => setAsking(false))
  }
  useEffect(() => follow(answered.then(result => answerIn(tool, result))), [answered, tool])
  const asks = app.getHostCapabilities()?.serverTools !== undefined
  const ask: AskTool = async (name, args) => answerIn(name, await app.callServerTool({ name, arguments: { ...args } }))
  const links = useMemo((): Links => {
    const Calls: Links['Calls'] = ({ filters, className, children }) =>
      asks ? (
        <button
          type="button"
          className={`link ${className ?? ''}`}
          onClick={() => follow(ask('search_calls', filters))}
        >
          {children}
        </button>
      ) : (
        <span className={className}>{children}</span>
      )
    return { Calls, Agent: ({ name }) => <b>{name}</b> }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what they are made of stays the same while the page is shown
  }, [asks])
  const open = asks ? (id: string) => follow(ask('get_call_detail', { session_id: id })) : undefined
  const shown = path.at(-1)
  return (
    <LinksProvider value={links}>
      <main className="stack">
        {path.length > 1 && (
          <button type="button" className="link small back" onClick={() => setPath(path.slice(0, -1))}>
            ← {t('views.back')}
          </button>
        )}
        {failure !== undefined && (
          <Note title={t('error.title')}>
            <p>{failure instanceof ToolRefusal ? failure.message : t('views.noAnswer')}</p>
          </Note>
        )}
        <div aria-busy={isAsking}>
          {shown === undefined ? (
            isAsking && <Bones rows={6} />
          ) : (
            <Undrawable key={path.length} text={t('views.undrawable')}>
              <Drawing shown={shown} ask={ask} asks={asks} open={open} />
            </Undrawable>
          )}
        </div>
      </main>
    </LinksProvider>
  )
}

interface DrawingProps {
  readonly shown: Shown
  readonly ask: AskTool
  readonly asks: boolean
  readonly open: ((sessionId: string) => void) | undefined
}

function Drawing({ shown, ask, asks, open }: DrawingProps) {
  switch (shown.tool) {
    case 'get_call_detail':
      return <CallView first={shown.answer} ask={asks ? ask : undefined} />
    case 'get_project_summary':
      return <SummaryView summary={shown.answer} />
    case 'detect_changes':
      return <ChangesView found={shown.answer} />
    case 'search_calls':
      return <CallList found={shown.answer} open={open} />
  }
}

/** An answer of another version than this page was made for: the client's model has its text all the same. */
class Undrawable extends Component<
  { readonly text: string; readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError(this: void) {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Note title={this.props.text} /> : this.props.children
  }
}
