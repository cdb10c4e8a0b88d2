/**
 * The oldest browsers that we support, by the names of MDN's data: those that Tailwind's style sheets need too. iPhone 8
 * and X end at iOS 16 (decision 061). The README and `public/boot.js` tell them to people.
 */
export const OLDEST = {
  safari: '16.4',
  safari_ios: '16.4',
  chrome: '111',
  chrome_android: '111',
  edge: '111',
  firefox: '128',
  firefox_android: '128',
} as const

/** The same for Vite, which lowers syntax and style sheets to them. */
export const BUILD_TARGET = [
  `safari${OLDEST.safari}`,
  `ios${OLDEST.safari_ios}`,
  `chrome${OLDEST.chrome}`,
  `edge${OLDEST.edge}`,
  `firefox${OLDEST.firefox}`,
]
