import { expect, test } from 'vitest'
import { servable } from './servable.ts'

test('title and description go to the head, hints at pictures go', () => {
  const front =
    '<link rel="preload" as="image" href="/a.webp"/><title>Dr A</title><meta name="description" content="A &lt;b&gt;"/>'
  expect(servable(`${front}<main><title>Not this</title></main>`)).toEqual({
    head: '<title>Dr A</title><meta name="description" content="A &lt;b&gt;"/>',
    body: '<main><title>Not this</title></main>',
  })
})

test('controls take no press before there is a program to heed it; links do', () => {
  const html = '<a href="/x">X</a><button type="button">B</button><input name="i"/><select><option>'
  expect(servable(html).body).toBe(
    '<a href="/x">X</a><button inert type="button">B</button><input inert name="i"/><select inert><option>',
  )
})

test('no inline style is served, and text that looks like one stays', () => {
  expect(servable('<p style="color:red" class="a">style=&quot;b&quot;</p>').body).toBe(
    '<p class="a">style=&quot;b&quot;</p>',
  )
})
