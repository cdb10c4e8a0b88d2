SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('api'),
  deepLinking: true,
  filter: true,
  // Its default sends the document's address to a server of its makers.
  validatorUrl: null,
})
