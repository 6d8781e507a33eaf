import { expect, test } from 'vitest'
import { imageAddress, isImageAddress } from './image.ts'

test.each([
  ['backend/uploads/x.webp', '/uploads/x.webp'],
  ['/backend/uploads/x.webp', '/uploads/x.webp'],
  ['//backend//uploads/x.webp', '/uploads/x.webp'],
  ['uploads/x.webp', '/uploads/x.webp'],
  ['//uploads/x.webp', '/uploads/x.webp'],
  ['\\\\backend\\uploads/x.webp', '/uploads/x.webp'],
  [' /uploads/x.webp ', '/uploads/x.webp'],
  ['/uploads/x.webp', '/uploads/x.webp'],
  ['/images/moss.webp', '/images/moss.webp'],
  ['images/moss.webp', '/images/moss.webp'],
  ['backends/x.webp', '/backends/x.webp'],
  ['/uploads/backend/x.webp', '/uploads/backend/x.webp'],
  ['//elsewhere.example/x.png', '/elsewhere.example/x.png'],
  ['https://elsewhere.example/backend/x.png', 'https://elsewhere.example/backend/x.png'],
  ['HTTP://elsewhere.example/x.png', 'HTTP://elsewhere.example/x.png'],
])('%j is the picture at %j', (given, address) => {
  expect(imageAddress(given)).toBe(address)
  expect(imageAddress(address)).toBe(address)
  expect(isImageAddress(given)).toBe(true)
})

test.each([
  '',
  '  ',
  '/',
  '//',
  'backend',
  '/backend/',
  'javascript:alert(1)',
  'data:image/png;base64,AA',
  'file:///etc/passwd',
])('%j is no picture', given => {
  expect(isImageAddress(given)).toBe(false)
})
