/** What a phone shows of the shop on its home screen. Its icons are in storefront/public, or the owner’s own (shop-icons.ts). */
export const webManifest = (shopName: string) => ({
  name: shopName,
  short_name: shopName,
  description: 'Yarn and knitting supplies',
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#faf7f0',
  theme_color: '#faf7f0',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
})
