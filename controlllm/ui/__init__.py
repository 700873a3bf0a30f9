"""The web page. Each module makes one visible part; `server` puts them behind safe routes.

Every part is a plain function from data to escaped HTML. The page's own JavaScript
(``assets/page``) lays those pieces into the document and sends back what a person does.
"""
