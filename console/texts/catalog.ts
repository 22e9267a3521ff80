import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'

/** Every text of the console. Another language is another file like en.json. */
export const catalog = createInstance()

void catalog.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: en } },
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
})
