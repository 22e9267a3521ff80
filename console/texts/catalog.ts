import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'
import { isolated } from './isolated.js'

/** Every text of the console. Another language is another file like en.json. */
export const catalog = createInstance()

void catalog.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: en } },
  // React escapes what it shows: this is no escaping.
  interpolation: { escape: isolated },
  initAsync: false,
})
