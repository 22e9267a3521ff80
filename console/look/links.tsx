import { type ComponentType, createContext, type ReactNode, useContext } from 'react'

interface CallsLinkProps {
  /** Which calls: arguments of search_calls, as text. */
  readonly filters: Readonly<Record<string, string | undefined>>
  readonly className?: string
  readonly children: ReactNode
}

interface AgentLinkProps {
  readonly name: string
}

/** Where links of a screen lead: to another screen of the console, or, in the window of an AI client, to a question to it. */
export interface Links {
  readonly Calls: ComponentType<CallsLinkProps>
  readonly Agent: ComponentType<AgentLinkProps>
}

const LinksContext = createContext<Links | undefined>(undefined)
export const LinksProvider = LinksContext.Provider

function useLinks(): Links {
  const links = useContext(LinksContext)
  if (links === undefined) throw new Error('A screen was shown without where its links lead')
  return links
}

export function CallsLink(props: CallsLinkProps) {
  const { Calls } = useLinks()
  return <Calls {...props} />
}

export function AgentLink(props: AgentLinkProps) {
  const { Agent } = useLinks()
  return <Agent {...props} />
}
