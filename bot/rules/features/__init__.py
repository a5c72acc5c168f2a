"""The features of the core: what every table can do, whichever game it plays. One module a deed."""
