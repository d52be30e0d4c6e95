"""Jobs in worker processes, here or on a cluster: runs of experiments, routes of a comparison, contestants of a check.

Each worker is watched over by a supervisor, so that limits hold whatever a job does, and its death is that of one job.
"""
