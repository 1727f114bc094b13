/** Words of pages that stand alone: they load without the rest of the words. */
export const pageWords = {
  notFound: {
    title: 'There is nothing on this page',
    body: 'The chat was deleted, or the link is not complete.',
    home: 'Start a new chat',
  },
  errorPanel: {
    title: 'Something went wrong',
    retry: 'Try again',
  },
}
