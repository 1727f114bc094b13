import { expect, test } from 'vitest'
import { readingVariables } from './reading-variables.ts'

test('PE-7 a line that reads with git has the variables with which git starts nothing, and other lines none', () => {
  const variables = readingVariables('cd a && git --no-pager diff | head')
  expect(variables).toMatchObject({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_OPTIONAL_LOCKS: '0' })
  const pairs = Array.from({ length: Number(variables['GIT_CONFIG_COUNT']) }, (_, at) => [
    variables[`GIT_CONFIG_KEY_${at}`],
    variables[`GIT_CONFIG_VALUE_${at}`],
  ])
  expect(Object.fromEntries(pairs)).toMatchObject({
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'diff.autoRefreshIndex': 'false',
  })
  expect(readingVariables('cat a; ls')).toEqual({})
})

test('PE-7 settings are read as they are, where git does nothing else', () => {
  expect(readingVariables('git config user.name; git -P config --list')).toEqual({})
  expect(readingVariables('git config user.name; git status')).toMatchObject({ GIT_ALLOW_PROTOCOL: 'none' })
})
