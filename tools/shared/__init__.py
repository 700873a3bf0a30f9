"""What several rooms need: boxes, pixels, sentences, video files, stretching sound."""
