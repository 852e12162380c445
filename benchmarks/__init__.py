"""The room that measures. Importing it chooses the driver, before anything can load one."""

from . import driver, search_path

search_path.installed_first()
driver.choose()
