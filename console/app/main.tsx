import '../look/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { LinksProvider } from '../look/links.js'
import { catalog } from '../texts/catalog.js'
import { links } from './links.js'
import { queries } from './queries.js'
import { router } from './router.js'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root')

createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={catalog}>
      <QueryClientProvider client={queries}>
        <LinksProvider value={links}>
          <RouterProvider router={router} />
        </LinksProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
)
