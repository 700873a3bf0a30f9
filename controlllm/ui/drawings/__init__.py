"""What people see: each visible part of the page as HTML."""
