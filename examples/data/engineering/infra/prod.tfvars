db_password = "Heron!Compass72"
slack_token = "xoxb-835967014539-086390412302-SeineFakeTokenoaz4ZFrBsr"
maps_key    = "AIzaSyFAKE-seine_ZvooGmc0HT14p8Z9P25zG3"
