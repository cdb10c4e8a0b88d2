import { createContext, Fragment, type ReactNode, useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { findBareTexts, translatePage } from '#tests/harness/translation.ts'

const Context = createContext('')

function Named({ children }: { children: ReactNode }) {
  return <p>{children}</p>
}

const none: ReactNode = null
const name = 'Ann'

const cases: Record<string, { content: ReactNode; html: string }> = {
  'text alone': { content: <p>Hello</p>, html: '<p>Hello</p>' },
  'text and values': {
    content: (
      <p>
        Hello {name}, {0}
      </p>
    ),
    html: '<p>Hello Ann, 0</p>',
  },
  'text and what may be there': { content: <p>{none}Hello</p>, html: '<p>Hello</p>' },
  'text beside an element': {
    content: (
      <p>
        <b>1</b> of 2
      </p>
    ),
    html: '<p><b>1</b><span> of 2</span></p>',
  },
  'only space': {
    content: (
      <p>
        <b>1</b> <i>2</i>
      </p>
    ),
    html: '<p><b>1</b><span class="contents"> </span><i>2</i></p>',
  },
  'a fragment of one text': {
    content: (
      <p>
        <b>1</b>
        <>two</>
      </p>
    ),
    html: '<p><b>1</b><span>two</span></p>',
  },
  'a fragment of several': {
    content: <Fragment>two {name}</Fragment>,
    html: '<span>two Ann</span>',
  },
  'a context': {
    content: (
      <p>
        <b>1</b>
        <Context value="">two</Context>
      </p>
    ),
    html: '<p><b>1</b><span>two</span></p>',
  },
  'a list of texts': {
    content: <p>{['a', 'b'].map((one) => `${one}, `)}</p>,
    html: '<p>a, b, </p>',
  },
  'a list beside an element': {
    content: (
      <p>
        {['a', 'b']}
        <b>c</b>
      </p>
    ),
    html: '<p><span>ab</span><b>c</b></p>',
  },
  'texts of a component': { content: <Named>Hello {name}</Named>, html: '<p>Hello Ann</p>' },
  'text and elements of a component': {
    content: (
      <Named>
        Hello <b>Ann</b>
      </Named>
    ),
    html: '<p><span>Hello </span><b>Ann</b></p>',
  },
}

test.each(Object.entries(cases))('%s has an element of its own', async (_name, each) => {
  const { container } = await render(each.content)
  expect(container.innerHTML).toBe(each.html)
  expect(findBareTexts()).toEqual([])
})

function Switching() {
  const [step, setStep] = useState(0)
  const isOdd = step % 2 === 1
  return (
    <button type="button" onClick={() => setStep(step + 1)}>
      {isOdd && <i>busy</i>}
      Step {step}
      {step > 1 && ' of many'}
      <>{isOdd ? 'odd' : <b>even</b>}</>
    </button>
  )
}

test('translated text is changed, and nodes come and go around it', async () => {
  await render(<Switching />)
  const stop = translatePage()
  try {
    const button = page.getByRole('button')
    await expect.element(button).toHaveTextContent('Step 0even')
    for (const text of ['busyStep 1odd', 'Step 2 of manyeven', 'busyStep 3 of manyodd']) {
      await button.click()
      await expect.element(button).toHaveTextContent(text)
    }
    expect(document.querySelector(':is(font)')).not.toBeNull()
  } finally {
    stop()
  }
})

test('an element beside text keeps its place when text appears before it', async () => {
  function Growing() {
    const [isLong, setLong] = useState(false)
    return (
      <p>
        {isLong && 'Now '}
        {name} <input aria-label="Name" onFocus={() => setLong(true)} />
      </p>
    )
  }
  await render(<Growing />)
  const field = page.getByRole('textbox')
  const before = field.element()
  await field.click()
  await expect.element(page.getByText('Now Ann')).toBeVisible()
  expect(field.element()).toBe(before)
})
