"""Every route: who may use it, and its entry in the audit list.

Who may: O owner, E editor, C conductor, V viewer of the study. "all" are routes outside studies:
"signed in" needs an account, "open" is for visitors, and participants with a token.

Audit: the entry in the list after a successful request; "-" for a route that changes nothing, and
a reason in brackets where rows are written that the list does not follow.

A new route needs a line here. Its decorator `@needs(...)` (study_app/web/security/access.py) says
who may use it; without one, O E V may look and O E may change. Nothing has to be called for the
audit list: it follows the tables in study_app/accounts/audit/subjects.py. A route that changes
something also needs a request that does so in `REQUESTS` of tests/study_app/web/route_requests.py.
"""

TABLE = """
account.add_passkey                   signed in  (tests/study_app/accounts/test_passkeys.py)
account.back                          signed in  -
account.change_password               signed in  changed account
account.codes                         signed in  -
account.confirm_with_passkey          signed in  (tests/study_app/web/accounts/test_confirming.py)
account.creation_options              signed in  changed account
account.page                          signed in  -
account.remove_passkey                signed in  deleted passkey
account.renew_recovery_codes          signed in  changed account
account.sign_out_everywhere           signed in  changed account
account.turn_off_codes                signed in  (tests/study_app/web/accounts/test_codes.py)
account.turn_on_codes                 signed in  (tests/study_app/web/accounts/test_codes.py)
audit.download                        O E   V    downloaded file
audit.page                            O E   V    -
cards.download                        O E C V    downloaded file
cards.page                            O E C V    -
cards.preview                         O E C V    -
cards.start                           O E        started work
exports.download                      O E   V    downloaded file
exports.page                          O E   V    -
exports.start                         O E   V    started work
gold.matrix                           O E   V    -
gold.one_set                          O E   V    -
gold.one_task                         O E   V    -
gold.page                             O E   V    -
gold.prepare_set_files                O E   V    (a computation; downloads are recorded)
gold.prepare_task_files               O E   V    (a computation; downloads are recorded)
gold.set_file                         O E   V    downloaded file
gold.set_mark                         O E   V    -
gold.task_file                        O E   V    downloaded file
gold.task_mark                        O E   V    -
health.alive                          open       -
health.metrics                        open       -
health.ready                          open       -
jobs.progress                         O E C V    -
members.back                          O E C V    -
members.cancel                        O          deleted invitation
members.change_role                   O          changed member
members.hand_over                     O          changed member
members.invite                        O          created invitation
members.leave                         O E C V    deleted member
members.page                          O E C V    -
members.remove                        O          deleted member
phones.connect                        open       changed phone link
phones.page                           open       -
participation.agree                   open       created web sitting
participation.answer_check            open       (answers of a participant)
participation.begin_part              open       (how far a participant is)
participation.between_parts           open       -
participation.close                   open       (answers of a participant)
participation.comprehension_check     open       -
participation.confirm_withdrawal      open       -
participation.leave                   open       (counts without a person)
participation.manifest                open       -
participation.ranking.assigned_queries  open     -
participation.ranking.picture         open       -
participation.ranking.rank            open       -
participation.ranking.record          open       (judgments are only added to, each with its time)
participation.own_data                open       -
participation.thanks                  open       -
participation.welcome                 open       -
participation.worker                  open       -
participation.withdraw                open       changed web sitting
participation.without_connection        open       -
people.apply_rules                    O E        created exclusion
people.delete_copies                  O          -
people.delete_photos                  O E        deleted photo
people.delete_platform_ids            O E        deleted platform ID
people.exclude                        O E        created exclusion
people.exclusions                     O E   V    -
people.own_data                       O E        downloaded file
people.page                           O E   V    -
people.person                         O E   V    -
people.remove_rule                    O E        changed exclusion rule
people.retention                      O E   V    -
people.set_retention                  O E        created retention
people.set_rule                       O E        created exclusion rule
people.undo_exclusion                 O E        changed exclusion
people.withdraw                       O E        changed person
ranking.add_queries                   O E        created query
ranking.choose                        O E        -
ranking.clear_tryouts                 O E        deleted web sitting
ranking.task.close                         O E        changed task
ranking.task.close_link                    O E        changed participant link
ranking.copy                          O E        created task
ranking.correct                       O E        changed task
ranking.task.flow                          O E   V    -
ranking.task.forget_identities             O E        deleted platform ID
ranking.task.invite                        O E        created participant link
ranking.live                          O E   V    -
ranking.make                          O E        created task
ranking.new                           O E        -
ranking.one_query                     O E   V    -
ranking.one_task                      O E   V    -
ranking.page                          O E   V    -
ranking.task.payments_file                 O E        downloaded file
ranking.people                        O E   V    -
ranking.pick                          O E        created query
ranking.task.platform                      O E        -
ranking.preview_entries               O E        -
ranking.preview_picture               O E   V    -
ranking.preview_plan                  O E   V    -
ranking.preview_rank                  O E   V    -
ranking.preview_thanks                O E   V    -
ranking.preview_welcome               O E   V    -
ranking.quality_file                  O E   V    downloaded file
ranking.queries                       O E   V    -
ranking.remove                        O E        deleted task
ranking.remove_query                  O E        deleted query
ranking.task.renew                         O E        changed participant link
ranking.task.save_flow                     O E        changed task
ranking.set_practice                  O E        changed query
ranking.settings                      O E        -
ranking.task_quality                  O E   V    -
ranking.task.texts                         O E   V    -
ranking.task.try_out                       O E        created participant link
ranking.task.withdraw                      O E        changed web sitting
ranking.task.write_texts                   O E        created text
sign_in.authority                     open       -
sign_in.check_code                    open       (tests/study_app/web/accounts/test_codes.py)
sign_in.choose_password               open       created account
sign_in.code_page                     open       (tests/study_app/web/accounts/test_codes.py)
sign_in.join                          open       created member
sign_in.page                          open       -
sign_in.request_options               open       -
sign_in.sign_in                       open       signed in sign-in
sign_in.sign_in_with_passkey          open       (tests/study_app/accounts/test_passkeys.py)
sign_in.sign_out                      open       deleted sign-in
sign_in.token                         open       -
sign_in.welcome                       open       -
sittings.add_photo                    O E C      created photo
sittings.add_sweep                    O E C      created photo
sittings.assessor_quality             O E   V    -
sittings.assessor_quality_file        O E   V    downloaded file
sittings.card                         O E C      -
sittings.change                       O E C      changed sitting
sittings.checklist                    O E C V    -
sittings.compared                     O E C V    -
sittings.connected_phones             O E C      -
sittings.consent_on_tablet            O E C      -
sittings.consent_sheet                O E C V    -
sittings.consent_texts                O E   V    -
sittings.day_plan                     O E C V    -
sittings.delete_photo                 O E        deleted photo
sittings.describe_group               O E C      recorded table
sittings.disconnect                   O E C      deleted phone link
sittings.enter_again                  O E C      created sitting
sittings.event                        O E C      recorded table
sittings.finish                       O E C      changed sitting
sittings.frame                        O E C      -
sittings.import_groupings             O E        created sitting
sittings.import_page                  O E        -
sittings.instructions                 O E C V    -
sittings.likely                       O E C      -
sittings.page                         O E C V    -
sittings.photo                        O E C V    -
sittings.plan                         O E        created sitting
sittings.plan_retest                  O E        created sitting
sittings.proposal                     O E C      -
sittings.read_photo                   O E C      (what a photo shows is read anew from its file)
sittings.record                       O E C      -
sittings.record_consent               O E C      created consent
sittings.remove                       O E        deleted sitting
sittings.reopen                       O E C      changed sitting
sittings.set_aside                    O E C      recorded table
sittings.show_link                    O E C      created phone link
sittings.sitting                      O E C V    -
sittings.step                         O E C      changed sitting
sittings.study_instructions           O E        created instructions
sittings.table                        O E C V    -
sittings.undo_event                   O E C      recorded table
sittings.withdraw                     O E        changed sitting
sittings.write_consent_texts          O E        created assessor text
stimuli.add_pieces                    O E        -
stimuli.begin_upload                  O E        -
stimuli.confirm_removal               O E        -
stimuli.keep_near_duplicates          O E        changed set
stimuli.near_duplicates               O E C V    -
stimuli.one_set                       O E C V    -
stimuli.page                          O E C V    -
stimuli.picture                       O E C V    -
stimuli.remove                        O E        deleted set
stimuli.remove_sketches               O E        deleted sketch
stimuli.rename                        O E        changed set
stimuli.report                        O E C V    -
stimuli.start_import                  O E        started work
stimuli.thumbnail                     O E C V    -
studies.confirm_removal               O          -
studies.home                          O E C V    -
studies.invite                        signed in  created invitation
studies.make                          signed in  created study
studies.page                          signed in  -
studies.remove                        O          deleted study
studies.back                          signed in  -
studies.change                        O E        changed study
systems.file                          O E   V    downloaded file
systems.flip                          O E        changed system
systems.add_systems                   O E        created system
systems.one_system                    O E   V    -
systems.own_file                      O E   V    downloaded file
systems.page                          O E   V    -
systems.remove                        O E        deleted system
systems.systems                       O E   V    -
"""

ROLES = {"O": "owner", "E": "editor", "C": "conductor", "V": "viewer"}


def rows():
    """Each endpoint with who may use it (a tuple of roles, "open" or "signed in") and its audit."""
    for line in TABLE.strip().splitlines():
        endpoint, rest = line.split(maxsplit=1)
        who = next((name for name in ("open", "signed in") if rest.startswith(name)), None)
        if who:
            yield endpoint, who, rest.removeprefix(who).strip()
        else:
            letters, audit = rest[:7], rest[7:].strip()
            yield endpoint, tuple(ROLES[letter] for letter in letters.split()), audit
